import { offsetOf, type Piece } from '@boathouse/sql'

/** What is written instead of a part of a statement. */
export interface Change {
  readonly start: number
  readonly end: number
  readonly by: string
}

/** It bounds what is put in: a variable stands for its value as often as it is named. No driver asks more. */
export const LONGEST_CHANGED = 128 * 1024

/** The text, which begins at `start` of the statement, with these changes; null where they would make it too long. */
export function applied(text: string, start: number, changes: readonly Change[]): string | null {
  if (changes.reduce((length, { by }) => length + by.length, text.length) > LONGEST_CHANGED) return null
  const parts: string[] = []
  let copied = start
  for (const { start: from, end, by } of changes.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (from < copied) continue
    parts.push(text.slice(copied - start, from - start), by)
    copied = end
  }
  return parts.join('') + text.slice(copied - start)
}

export const endOf = (statement: Piece, at: number): number =>
  (statement.tokens.ends[at] ?? 0) - statement.start

/** Of the tokens from the first to the last. */
export const change = (
  statement: Piece,
  { first, last = first }: { readonly first: number; readonly last?: number },
  by: string,
): Change => ({ start: offsetOf(statement, first), end: endOf(statement, last), by })
