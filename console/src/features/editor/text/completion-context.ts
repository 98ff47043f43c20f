import { unquoteIdentifier } from '@boathouse/sql'

/** A table that the statement names, with the name under which its columns are meant. */
export interface NamedTable {
  /** Catalog, database and table, as far as they are written. */
  readonly path: readonly string[]
  readonly alias: string
}

/** What can be completed at the cursor. */
export interface CompletionPlace {
  /** Where the word begins that is being written. */
  readonly from: number
  readonly word: string
  /** Names before the word, each followed by a dot. */
  readonly path: readonly string[]
  readonly wants: 'nothing' | 'table' | 'anything'
  readonly tables: readonly NamedTable[]
  /** Names that WITH gives. */
  readonly ctes: readonly string[]
}

const HIDDEN = /'(?:[^']|'')*(?:'|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g
const NAME = String.raw`(?:[\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")*"|\x60[^\x60]*\x60)`
const PATH = String.raw`${NAME}(?:\s*\.\s*${NAME})*`
const WRITTEN = new RegExp(String.raw`((?:${NAME}\s*\.\s*)*)([\p{L}\p{N}_$]*)$`, 'u')
const TABLES = new RegExp(
  String.raw`(?:\b(?:from|join|into|update|table|describe|desc)|,)\s+(?:only\s+)?(${PATH})(?:\s+(?:as\s+)?(${NAME}))?`,
  'giu',
)
const CTES = new RegExp(
  String.raw`(?:\bwith(?:\s+recursive)?|,)\s+(${NAME})\s*(?:\([^()]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s*)?\(`,
  'giu',
)
const AFTER_TABLE_WORD = /\b(?:from|join|into|update|table|describe|desc|truncate)\s*$/iu
/** In the list behind FROM. */
const IN_FROM =
  /\bfrom\b(?:(?!\b(?:where|group|order|having|select|on|set|limit|using|qualify|window|values)\b)[^])*,\s*$/iu
/** Words that follow a table and are no alias of it. */
const NO_ALIAS = new Set(
  'as asof cross full group having inner join left limit natural on order positional qualify right semi anti set union using values where window intersect except select offset sample tablesample returning default'.split(
    ' ',
  ),
)

const blank = (text: string): string => text.replaceAll(HIDDEN, (part) => ' '.repeat(part.length))
const namesIn = (path: string): string[] =>
  (path.match(new RegExp(NAME, 'gu')) ?? []).map((name) => unquoteIdentifier(name))

/** The text before the cursor at its level of parentheses, without other parentheses beside it. */
function sameLevel(before: string): string {
  let kept = ''
  let depth = 0
  for (let at = before.length - 1; at >= 0; at--) {
    const character = before[at] ?? ''
    if (character === ')') depth++
    else if (character === '(' && depth === 0) return kept
    else if (character === '(') depth--
    else if (depth === 0) kept = character + kept
  }
  return kept
}

function isOpenAt(part: string): boolean {
  if (part.startsWith('--')) return true
  if (part.startsWith('/*')) return !part.endsWith('*/') || part.length < 4
  return !part.endsWith("'") || part.length === 1
}

/** Within a text or a comment, or behind the beginning of one that has no end. */
const isHiddenAt = (statement: string, at: number): boolean =>
  [...statement.matchAll(HIDDEN)].some(({ 0: part, index }) => {
    const end = index + part.length
    return at > index && (at < end || (at === end && isOpenAt(part)))
  })

function tablesIn(statement: string): NamedTable[] {
  return [...statement.matchAll(TABLES)].flatMap(([, written = '', alias]) => {
    const path = namesIn(written)
    const last = path.at(-1)
    if (last === undefined || NO_ALIAS.has(last.toLowerCase())) return []
    const isAlias = alias !== undefined && !NO_ALIAS.has(alias.toLowerCase())
    return [{ path, alias: isAlias ? unquoteIdentifier(alias) : last }]
  })
}

/**
 * What the words around the cursor say. `statement` begins at `start` in the text; `at` is the cursor in the text.
 * Texts and comments are not looked into.
 */
export function completionPlace(statement: string, start: number, at: number): CompletionPlace {
  const shown = blank(statement)
  const before = shown.slice(0, at - start)
  const isHidden = isHiddenAt(statement, at - start)
  const [, path = '', word = ''] = WRITTEN.exec(before) ?? []
  const rest = before.slice(0, before.length - path.length - word.length)
  const wantsTable = AFTER_TABLE_WORD.test(rest) || IN_FROM.test(sameLevel(rest))
  return {
    from: at - word.length,
    word,
    path: namesIn(path),
    wants: isHidden || /^\d/.test(word) ? 'nothing' : wantsTable ? 'table' : 'anything',
    tables: tablesIn(shown),
    ctes: [...shown.matchAll(CTES)].map(([, name = '']) => unquoteIdentifier(name)),
  }
}
