import type { QueryComment } from '@boathouse/contract/editor-comments'
import { LIMITS } from '@boathouse/contract/limits'

/** What people say about one line. */
export interface Discussion {
  readonly comment: QueryComment
  readonly answers: readonly QueryComment[]
  /** Where the line is now, counted from 1; null: it is not in the text any more. */
  readonly line: number | null
}

/** By this a line is found again when lines above it come and go. */
export const quoteOf = (line: string): string =>
  line
    .trim()
    .slice(0, LIMITS.queryCommentQuote)
    .replaceAll(/[\0\p{Surrogate}]/gu, '')

/** The nearest line that says the same; an empty one is found by its number alone. */
function lineNow(quotes: readonly string[], { line, quote }: QueryComment): number | null {
  if (quote === '') return Math.min(line, quotes.length)
  let found: number | null = null
  for (const [at, one] of quotes.entries())
    if (one === quote && (found === null || Math.abs(at + 1 - line) < Math.abs(found - line))) found = at + 1
  return found
}

/** In the order of the text; those whose line is gone come last. */
export function discussionsIn(text: string, comments: readonly QueryComment[]): Discussion[] {
  const quotes = text.split('\n').map(quoteOf)
  return comments
    .filter(({ replyTo }) => replyTo === null)
    .map((comment) => ({
      comment,
      answers: comments.filter(({ replyTo }) => replyTo === comment.commentId),
      line: lineNow(quotes, comment),
    }))
    .toSorted((one, other) => (one.line ?? Infinity) - (other.line ?? Infinity) || 0)
}
