import { type Kysely, sql } from 'kysely'
import { foldedName } from '@boathouse/contract'
import { foldedColumn } from '../../store/folded-name.ts'
import type { Schema } from '../../store/schema.ts'

interface SavedSnippet {
  readonly snippetId: string
  readonly name: string
  readonly text: string
}

/** Snippets, each reached by its user alone. */
export function snippetQueries(db: Kysely<Schema>) {
  const snippetsOf = (userId: string) => db.selectFrom('editor_snippets').where('user_id', '=', userId)

  return {
    snippets: (userId: string) =>
      snippetsOf(userId).select(['snippet_id', 'name', 'text']).orderBy(foldedColumn('name')).execute(),

    /** Other than this one: how many there are, and whether one has the name. */
    async otherSnippets(userId: string, { snippetId, name }: SavedSnippet) {
      const { count, has_name } = await snippetsOf(userId)
        .where('snippet_id', '<>', snippetId)
        .select(({ fn }) => [
          fn.countAll<number>().as('count'),
          sql<boolean | null>`bool_or(${foldedColumn('name')} = ${foldedName(name)})`.as('has_name'),
        ])
        .executeTakeFirstOrThrow()
      return { count, hasName: has_name ?? false }
    },

    /** False when somebody else has one with this id. */
    async saveSnippet(userId: string, { snippetId, name, text }: SavedSnippet): Promise<boolean> {
      const saved = await db
        .insertInto('editor_snippets')
        .values({ snippet_id: snippetId, user_id: userId, name, text })
        .onConflict((conflict) =>
          conflict
            .column('snippet_id')
            .doUpdateSet({ name, text })
            .where('editor_snippets.user_id', '=', userId),
        )
        .returning('snippet_id')
        .executeTakeFirst()
      return saved !== undefined
    },

    async deleteSnippet(userId: string, snippetId: string): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('editor_snippets')
        .where('user_id', '=', userId)
        .where('snippet_id', '=', snippetId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
