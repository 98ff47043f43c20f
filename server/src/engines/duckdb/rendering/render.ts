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
export function render(text: string, written: Written): Rewriting | null {
  const { quotes, systemVariables, variables, userVariables } = written
  const bound = withVariables(text, { quotes, variables })
  const rewriting = rendered(bound, {
    quotes,
    systemVariables,
    ...(userVariables && { userVariables: readBy(userVariables) }),
    rules: RULES,
  })
  return rewriting ?? (bound === text ? null : { text: bound, moves: [] })
}

const valueOf = (name: string): string => `getvariable(${quoteString(name)})`

const readBy = (names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)]))

/** Of an EXECUTE, whose text nobody has written in this form: its places are not shown. */
function withVariables(text: string, { quotes, variables }: Pick<Written, 'quotes' | 'variables'>): string {
  const names = Object.entries(variables)
  if (names.length === 0) return text
  const values = names.map(([parameter, name]) => [parameter, valueOf(name)] as const)
  return withValues(readStatement(text, quotes), new Map(values))
}
