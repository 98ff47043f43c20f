import { Lexer, splitStatements, TOKEN } from '@boathouse/sql'
import { duckdb, formatDialect, mysql } from 'sql-formatter'
import { isSameMeaning } from './same-meaning.ts'

export interface FormattedSql {
  readonly text: string
  /** Where the first statement begins that the formatter cannot read and that stays as it is; null: all are read. */
  readonly unread: number | null
}

/** Statements of the service are short and have their own grammar: they stay as they are. */
const READ =
  /^(?:select|with|from|insert|update|delete|merge|create|replace|explain|values|pivot|unpivot|\()/i
const LINE_WIDTH = 80
/** The formatter takes the square of it. */
const DEEPEST = 60

/** The service reads names in backquotes beside those in double quotes. */
const { tokenizerOptions } = duckdb
const BOTH_QUOTES = {
  ...duckdb,
  tokenizerOptions: { ...tokenizerOptions, identTypes: [...tokenizerOptions.identTypes, '``' as const] },
}
/** The first that keeps what the text means is used: the engine's own, then that of MySQL, as in `@a` and `<=>`. */
const DIALECTS = [BOTH_QUOTES, mysql]

/** `:name`, and no colon of a structure or a slice. */
function namedParameters(sql: string): string[] {
  const lexer = new Lexer(sql)
  const names = new Set<string>()
  while (lexer.next()) if (lexer.kind === TOKEN.parameter) names.add(sql.slice(lexer.start, lexer.end))
  return [...names].filter((name) => name.startsWith(':'))
}

function isTooDeep(sql: string): boolean {
  let depth = 0
  for (const bracket of sql.match(/[()[\]{}]/g) ?? []) {
    depth += '([{'.includes(bracket) ? 1 : -1
    if (depth > DEEPEST) return true
  }
  return false
}

function formatStatement(sql: string): string | null {
  if (!READ.test(sql)) return sql
  if (isTooDeep(sql)) return null
  const custom = [
    ...namedParameters(sql).map((name) => ({ regex: String.raw`${name}\b` })),
    { regex: String.raw`\{\{[^{}]*\}\}` },
  ]
  for (const dialect of DIALECTS)
    try {
      const written = formatDialect(sql, { dialect, expressionWidth: LINE_WIDTH, paramTypes: { custom } })
      if (isSameMeaning(sql, written)) return written
    } catch {
      // Not of this dialect.
    }
  return null
}

/** Line breaks between tokens get the indent; those within texts stay. */
function indented(sql: string, indent: string): string {
  if (indent === '') return sql
  const lexer = new Lexer(sql)
  let written = ''
  while (lexer.next()) {
    const text = sql.slice(lexer.start, lexer.end)
    written += lexer.kind === TOKEN.whitespace ? text.replaceAll('\n', `\n${indent}`) : text
  }
  return written
}

/** Between two statements that only a semicolon divides is an empty line. Comments between them stay. */
const between = (gap: string, indent: string): string => (/^\s*;\s*$/.test(gap) ? `;\n\n${indent}` : gap)

/**
 * White space alone is changed, statement by statement. `indent` is put before every line but the first, for a text that
 * is part of another.
 */
export function formatSql(text: string, indent = ''): FormattedSql {
  let written = ''
  let behind = 0
  let unread: number | null = null
  for (const { text: sql, start, end } of splitStatements(text)) {
    const gap = text.slice(behind, start)
    written += behind === 0 ? gap : between(gap, indent)
    const formatted = formatStatement(sql)
    if (formatted === null) unread ??= start
    written += formatted === null ? sql : indented(formatted, indent)
    behind = end
  }
  return { text: written + text.slice(behind), unread }
}
