import {
  keywordAt,
  quoteString,
  readStatement,
  rendered,
  type RenderingRules,
  type Rewriting,
  withValues,
} from '@boathouse/sql'
import type { Written } from '../../engine/written.ts'
import { noteLimit } from './limit.ts'
import { MYSQL_WORDS, noteMysqlCall } from './mysql-calls.ts'

const RULES: RenderingRules = {
  words: new RegExp(String.raw`\b(?:limit|${MYSQL_WORDS})\b`, 'i'),
  note(piece, at, edits) {
    if (keywordAt(piece, at) === 'LIMIT') noteLimit(piece, at, edits)
    else noteMysqlCall(piece, at, edits)
  },
}

/** What a user wrote in DuckDB's words; null where these are the same. A text of a megabyte takes tens of milliseconds. */
export function render(text: string, { quotes, systemVariables, variables }: Written): Rewriting | null {
  const bound = withVariables(text, { quotes, variables })
  const rewriting = rendered(bound, { quotes, systemVariables, rules: RULES })
  return rewriting ?? (bound === text ? null : { text: bound, moves: [] })
}

/** Of an EXECUTE, whose text nobody has written in this form: its places are not shown. */
function withVariables(text: string, { quotes, variables }: Pick<Written, 'quotes' | 'variables'>): string {
  const names = Object.entries(variables)
  if (names.length === 0) return text
  const values = names.map(([parameter, name]) => [parameter, `getvariable(${quoteString(name)})`] as const)
  return withValues(readStatement(text, quotes), new Map(values))
}
