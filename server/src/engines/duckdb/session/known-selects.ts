import type { BoundedMap } from '../../../kernel/bounded-map.ts'

/** What was seen of a text when it was run, for its next run. */
export interface KnownSelect {
  /** By their types, all rows it can give fit into little memory. */
  readonly isNarrow: boolean
  /** It gave few and short rows the last time. */
  readonly isSmall: boolean
}

/** Texts that are one select each. */
export type KnownSelects = BoundedMap<KnownSelect>

// Of a result that counts as small: more than are shown, so that most stay small when their table grows a little.
const SMALL_ROWS = 2000
const SMALL_BYTES = 256 * 1024

/** How many rows may be asked for without counting them first; null when nothing is known that allows it. */
export function uncountedRows(known: KnownSelect | undefined, rows: number): number | null {
  if (known?.isNarrow) return rows
  return known?.isSmall ? Math.min(rows, SMALL_ROWS + 1) : null
}

/** What is thought small is run again when it is not, and must leave no trace of the first time. */
const DRAWS = /nextval/i

export function isSmall(sql: string, { rows, bytes }: { rows: number; bytes: number }): boolean {
  return rows <= SMALL_ROWS && bytes <= SMALL_BYTES && !DRAWS.test(sql)
}
