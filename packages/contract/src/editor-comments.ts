import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { MESSAGES } from './rules.ts'

const storable = z.refine<string>(
  (text) => !/[\0\p{Surrogate}]/u.test(text),
  'It contains a character that is not allowed.',
)

const CommentText = z
  .string()
  .check(
    z.trim(),
    z.minLength(1, MESSAGES.enter('comment')),
    z.maxLength(LIMITS.queryCommentLength, MESSAGES.maximumLength(LIMITS.queryCommentLength)),
    storable,
  )

/** Counted from 1, as it was when the comment was written. */
const Line = z.int().check(z.gte(1), z.lte(LIMITS.sqlLength + 1))

const QueryComment = z.object({
  commentId: z.uuid(),
  /** The comment that it answers; null: it is about the line. */
  replyTo: z.nullable(z.uuid()),
  line: z.int(),
  /** The beginning of that line, as it was then: by it the line is found again. */
  quote: z.string(),
  text: z.string(),
  /** Null: the user was removed. */
  userName: z.nullable(z.string()),
  /** You wrote it. */
  isOwn: z.boolean(),
  createdAt: z.string(),
  /** Of one that is about a line. */
  isResolved: z.boolean(),
})
export type QueryComment = z.infer<typeof QueryComment>

/** `tabId`: the query whose comments are not what they were. */
export const CommentsChanged = z.object({ tabId: z.uuid() })

const OfComment = z.object({ tabId: z.uuid(), commentId: z.uuid() })

/** For all who may see a query: its owner, and those with whom it is shared. */
export const commentCalls = {
  comments: defineCall({
    path: '/editor/comments',
    summary: 'List the comments on lines of a saved query, oldest first',
    needs: 'login',
    silent: true,
    input: z.object({ tabId: z.uuid() }),
    output: z.object({ list: z.array(QueryComment) }),
    fails: ['NotFound'],
  }),
  /** The sender chooses the id, so that a comment whose answer was lost is not there twice. */
  addComment: defineCall({
    path: '/editor/add-comment',
    summary: 'Comment on a line of a saved query, or answer a comment',
    needs: 'login',
    input: z.extend(OfComment, {
      replyTo: z._default(z.nullable(z.uuid()), null),
      line: Line,
      quote: z.string().check(z.maxLength(LIMITS.queryCommentQuote), storable),
      text: CommentText,
    }),
    output: z.object({}),
    fails: ['NotFound', 'LimitReached', 'Conflict'],
  }),
  resolveComment: defineCall({
    path: '/editor/resolve-comment',
    summary: 'Mark a comment of yours, or one on a query that you may edit, as resolved or open',
    needs: 'login',
    input: z.extend(OfComment, { isResolved: z.boolean() }),
    output: z.object({}),
    fails: ['NotFound', 'NoPermission'],
  }),
  deleteComment: defineCall({
    path: '/editor/delete-comment',
    summary: 'Delete a comment of yours, or any on your own query, with its answers',
    needs: 'login',
    input: OfComment,
    output: z.object({}),
    fails: ['NotFound', 'NoPermission'],
  }),
}
