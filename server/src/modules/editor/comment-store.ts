import { type Insertable, type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Comments on saved queries. Reached through a query that is known to be open to the user. */
export function commentQueries(db: Kysely<Schema>) {
  const commentsOf = (tabId: string) =>
    db.selectFrom('editor_comments').where('editor_comments.tab_id', '=', tabId)

  return {
    comments: (tabId: string, most: number) =>
      commentsOf(tabId)
        .leftJoin('users', 'users.user_id', 'editor_comments.user_id')
        .select([
          'comment_id',
          'reply_to',
          'editor_comments.user_id',
          'line',
          'quote',
          'text',
          'resolved',
          'editor_comments.created_at',
          'users.name as user_name',
        ])
        .orderBy('editor_comments.created_at')
        .orderBy('comment_id')
        .limit(most)
        .execute(),

    findComment: (tabId: string, commentId: string) =>
      commentsOf(tabId)
        .select(['comment_id', 'user_id', 'reply_to'])
        .where('comment_id', '=', commentId)
        .executeTakeFirst(),

    /** Those of one query, and those that one user wrote about any. */
    async countComments(tabId: string, userId: string): Promise<{ ofQuery: number; ofUser: number }> {
      const { rows } = await sql<{ of_query: number; of_user: number }>`
        select (select count(*) from editor_comments where tab_id = ${tabId}) as of_query,
          (select count(*) from editor_comments where user_id = ${userId}) as of_user`.execute(db)
      const [counts] = rows
      return { ofQuery: counts?.of_query ?? 0, ofUser: counts?.of_user ?? 0 }
    },

    /** False when there is one with this id, of any query. */
    async insertComment(comment: Insertable<Schema['editor_comments']>): Promise<boolean> {
      const inserted = await db
        .insertInto('editor_comments')
        .values(comment)
        .onConflict((conflict) => conflict.column('comment_id').doNothing())
        .returning('comment_id')
        .executeTakeFirst()
      return inserted !== undefined
    },

    resolveComment: (commentId: string, resolved: boolean) =>
      db.updateTable('editor_comments').set({ resolved }).where('comment_id', '=', commentId).execute(),

    deleteComment: (commentId: string) =>
      db.deleteFrom('editor_comments').where('comment_id', '=', commentId).execute(),
  }
}
