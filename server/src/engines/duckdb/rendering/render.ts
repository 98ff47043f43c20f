import {
  keywordAt,
  kindAt,
  quoteString,
  readStatement,
  rendered,
  type RenderingRules,
  type Rewriting,
  TOKEN,
  withValues,
} from '@boathouse/sql'
import type { Written } from '../../engine/written.ts'
import { noteLimit } from './limit.ts'
import { mysqlRules } from './mysql/mysql.ts'
import { MYSQL_WORDS, noteMysqlCall } from './mysql-calls.ts'

/** What only turns a mistake into a statement: nothing that DuckDB understands means something else by it. */
const ENGINE_WORDS: RenderingRules = {
  words: new RegExp(String.raw`\b(?:limit|${MYSQL_WORDS})\b`, 'i'),
  note(piece, edits) {
    for (let at = piece.first; at < piece.until; at++) {
      if (kindAt(piece, at) !== TOKEN.word) continue
      if (keywordAt(piece, at) === 'LIMIT') noteLimit(piece, at, edits)
      else noteMysqlCall(piece, at, edits)
    }
  },
}

function rulesFor({ words = 'engine', functions }: Pick<Written, 'words' | 'functions'>): RenderingRules {
  if (words === 'engine') return ENGINE_WORDS
  return mysqlRules({ pipesJoin: words === 'mysql with pipes', functions })
}

/** What a user wrote in DuckDB's words; null where these are the same. A text of a megabyte takes tens of milliseconds. */
export function render(text: string, written: Written): Rewriting | null {
  const { quotes, systemVariables, variables, userVariables } = written
  const bound = withVariables(text, { quotes, variables })
  const rewriting = rendered(bound, {
    quotes,
    systemVariables,
    ...(userVariables && { userVariables: readBy(userVariables) }),
    rules: rulesFor(written),
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
