import { quoteIdentifier, type TokenEdits, unquoteIdentifier } from '@boathouse/sql'
import type { Source } from './source.ts'

/** Words that have a meaning of their own in DuckDB, and are names like others to the other server. */
const RESERVED = new Set(
  `ANALYSE ANTI ARRAY ASOF ASYMMETRIC AT AUTHORIZATION COLLATION COLUMNS CONCURRENTLY DEFERRABLE FREEZE GENERATED GLOB
  INITIALLY LAMBDA MAP ONLY OVERLAPS PIVOT PIVOT_LONGER PIVOT_WIDER PLACING POSITIONAL QUALIFY SEMI SIMILAR STRUCT SUMMARIZE
  SYMMETRIC TABLESAMPLE UNPACK UNPIVOT VARIADIC VERBOSE`.split(/\s+/),
)

export const isReserved = (word: string): boolean => RESERVED.has(word)

/** A name as it is written, in double quotes. */
export const asName = (written: string): string => quoteIdentifier(unquoteIdentifier(written))

const OPENS = new Set(['(', '[', '{'])

/** Puts such a word in quotes where only a name can be meant: DuckDB's own forms of a statement stay as they are. */
export function noteName(source: Source, at: number, edits: TokenEdits): boolean {
  if (!isReserved(source.word(at)) || at === source.first) return false
  const isMember = source.word(at - 1) === '.'
  const isOperand = !source.endsValue(at - 1) && !OPENS.has(source.word(at + 1)) && !source.isValue(at + 1)
  if (!isMember && !isOperand) return false
  edits.set(at, quoteIdentifier(source.written(at, at)))
  return true
}
