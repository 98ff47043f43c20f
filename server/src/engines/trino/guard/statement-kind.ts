import type { Purpose } from '../../engine/run.ts'
import { refused } from '../refused.ts'
import { findOutside, isQueryAt, type SqlToken, tokensOf } from './tokens.ts'

/** A statement as it is sent: its text without the semicolon at its end, and what it is. */
export interface ReadStatement {
  readonly sql: string
  readonly tokens: readonly SqlToken[]
  readonly kind: StatementKind
  /** What it explains begins there; 0: it explains nothing. */
  readonly explains: number
  /** It runs what it explains. */
  readonly isAnalyzed: boolean
}

/** By the first words, which in the grammar of Trino say what a statement is. */
export type StatementKind =
  | 'query'
  | 'insert'
  | 'update'
  | 'delete'
  | 'merge'
  | 'truncate'
  | 'create table'
  | 'create view'
  | 'create schema'
  | 'drop table'
  | 'drop view'
  | 'drop schema'
  | 'alter table'
  | 'alter view'
  | 'comment'
  | 'analyze'
  | 'transaction'
  /** For the service alone. */
  | 'other'

const FIRST_WORDS: readonly (readonly [words: RegExp, kind: StatementKind])[] = [
  [/^INSERT INTO /, 'insert'],
  [/^UPDATE /, 'update'],
  [/^DELETE FROM /, 'delete'],
  [/^MERGE INTO /, 'merge'],
  [/^TRUNCATE TABLE /, 'truncate'],
  [/^CREATE (?:OR REPLACE )?TABLE /, 'create table'],
  [/^CREATE (?:OR REPLACE )?VIEW /, 'create view'],
  [/^CREATE SCHEMA /, 'create schema'],
  [/^DROP TABLE /, 'drop table'],
  [/^DROP VIEW /, 'drop view'],
  [/^DROP SCHEMA /, 'drop schema'],
  [/^ALTER TABLE /, 'alter table'],
  [/^ALTER VIEW /, 'alter view'],
  [/^COMMENT ON /, 'comment'],
  [/^ANALYZE /, 'analyze'],
  [/^(?:START TRANSACTION|BEGIN|COMMIT|ROLLBACK)\b/, 'transaction'],
]

export const LONGEST_TEXT = 1_000_000

export function readStatement(text: string): ReadStatement {
  if (text.length > LONGEST_TEXT)
    throw refused('syntax', `This statement is longer than ${LONGEST_TEXT} characters. Send less at a time.`)
  const all = tokensOf(text)
  let last = all.length
  while (last > 0 && all[last - 1]?.text === ';') last--
  if (last === 0) throw refused('syntax', 'There is no statement in this text.')
  const tokens = all.slice(0, last)
  const sql = text.slice(0, tokens.at(-1)?.end)
  return { sql, tokens, ...explained(tokens) }
}

function explained(tokens: readonly SqlToken[]): Pick<ReadStatement, 'kind' | 'explains' | 'isAnalyzed'> {
  if (tokens[0]?.text !== 'EXPLAIN') return { kind: kindAt(tokens, 0), explains: 0, isAnalyzed: false }
  let at = 1
  const isAnalyzed = tokens[at]?.text === 'ANALYZE'
  if (isAnalyzed) at++
  if (isAnalyzed && tokens[at]?.text === 'VERBOSE') at++
  else if (tokens[at]?.text === '(' && !isQueryAt(tokens, at + 1)) at = closingOf(tokens, at) + 1
  const kind = tokens[at]?.text === 'EXPLAIN' ? 'other' : kindAt(tokens, at)
  return { kind, explains: at, isAnalyzed }
}

const closingOf = (tokens: readonly SqlToken[], from: number): number =>
  tokens.findIndex(({ text }, at) => at > from && text === ')')

function kindAt(tokens: readonly SqlToken[], at: number): StatementKind {
  if (isQueryAt(tokens, at)) return 'query'
  const words = tokens.slice(at, at + 4).map(({ text }) => text)
  const first = `${words.join(' ')} `
  return FIRST_WORDS.find(([pattern]) => pattern.test(first))?.[1] ?? 'other'
}

/** What a statement is for; null: nobody but the service may send it. */
export function purposeOf({ kind, explains, isAnalyzed }: ReadStatement): Purpose | null {
  if (kind === 'other') return null
  if (kind === 'transaction') return 'session'
  return kind === 'query' || (explains > 0 && !isAnalyzed) ? 'reads' : 'writes'
}

export const LIMITING = new Set(['LIMIT', 'FETCH'])

/** The same query with no more rows than these, inside of its plan; one that has a limit of its own is left as it is. */
export function limited({ sql, tokens, kind, explains }: ReadStatement, rows: number): string {
  if (kind !== 'query' || explains > 0 || findOutside(tokens, LIMITING) !== -1) return sql
  // On a line of its own: the text may end in a comment.
  return `${sql}\nLIMIT ${rows}`
}
