import { type commentCalls, type Input, LIMITS, type QueryComment } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { EditorQueries, EditorStore, OwnQueries } from './store.ts'
import { requireAccess, type SeenTab } from './tab-access.ts'

interface Parts {
  readonly store: EditorStore
  readonly clock: Clock
  readonly find: (actor: Actor, tabId: string, queries?: EditorQueries) => Promise<SeenTab>
  /** Those who have the query open are notified. */
  readonly commentsChanged: (tab: SeenTab) => Promise<void>
}

type Comment = NonNullable<Awaited<ReturnType<EditorQueries['findComment']>>>

const noSuchComment = () => new AppError('NotFound', 'This comment does not exist, or it was deleted.')

async function requireRoom(own: OwnQueries, tab: SeenTab, { userId }: Actor): Promise<void> {
  const { ofQuery, ofUser } = await own.countComments(tab.tab_id, userId)
  if (ofQuery >= LIMITS.queryComments)
    throw new AppError(
      'LimitReached',
      `This query has ${LIMITS.queryComments} comments, the maximum. Delete some.`,
    )
  if (ofUser >= LIMITS.userComments)
    throw new AppError(
      'LimitReached',
      `You have written ${LIMITS.userComments} comments, the maximum. Delete some.`,
    )
}

/** What people say about lines of a saved query. Who may see the query may comment on it. */
export function createComments({ store, clock, find, commentsChanged }: Parts) {
  /** One at a time of a user, and of a query. */
  async function change(
    actor: Actor,
    { tabId, commentId }: { tabId: string; commentId: string },
    work: (own: OwnQueries, tab: SeenTab, comment: Comment | undefined) => Promise<void>,
  ): Promise<void> {
    const changed = await store.alone(actor.userId, async (own) => {
      const tab = await find(actor, tabId, own)
      await own.lockTab(tab.user_id, tabId)
      await work(own, tab, await own.findComment(tabId, commentId))
      return tab
    })
    await commentsChanged(changed)
  }

  return {
    async list(actor: Actor, tabId: string): Promise<{ list: QueryComment[] }> {
      await find(actor, tabId)
      const rows = await store.comments(tabId, LIMITS.queryComments)
      const list = rows.map((row): QueryComment => ({
        commentId: row.comment_id,
        replyTo: row.reply_to,
        line: row.line,
        quote: row.quote,
        text: row.text,
        userName: row.user_name,
        isOwn: row.user_id === actor.userId,
        createdAt: row.created_at.toISOString(),
        isResolved: row.resolved,
      }))
      return { list }
    },

    add: (actor: Actor, draft: Input<typeof commentCalls.addComment>): Promise<void> =>
      change(actor, draft, async (own, tab, known) => {
        // Its answer was lost, and it comes again.
        if (known?.user_id === actor.userId) return
        const { commentId, replyTo, line, quote, text } = draft
        await requireRoom(own, tab, actor)
        const above = replyTo === null ? null : await own.findComment(tab.tab_id, replyTo)
        if (above === undefined) throw noSuchComment()
        const isInserted = await own.insertComment({
          comment_id: commentId,
          tab_id: tab.tab_id,
          // An answer to an answer is one more in the same discussion.
          reply_to: above && (above.reply_to ?? above.comment_id),
          user_id: actor.userId,
          line,
          quote,
          text,
          created_at: clock.now(),
        })
        if (!isInserted)
          throw new AppError('Conflict', 'There is a comment with this id. Send it with another.')
      }),

    resolve: (actor: Actor, wanted: Input<typeof commentCalls.resolveComment>): Promise<void> =>
      change(actor, wanted, async (own, tab, comment) => {
        if (!comment || comment.reply_to !== null) throw noSuchComment()
        if (comment.user_id !== actor.userId) requireAccess(tab, 'edit')
        await own.resolveComment(comment.comment_id, wanted.isResolved)
      }),

    delete: (actor: Actor, wanted: Input<typeof commentCalls.deleteComment>): Promise<void> =>
      change(actor, wanted, async (own, tab, comment) => {
        if (!comment) throw noSuchComment()
        if (comment.user_id !== actor.userId && tab.access !== 'own')
          throw new AppError('NoPermission', `Only who wrote it, or ${tab.owner}, can delete this comment.`)
        await own.deleteComment(comment.comment_id)
      }),
  }
}
