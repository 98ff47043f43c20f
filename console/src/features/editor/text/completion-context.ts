import { Lexer, TOKEN, unquoteIdentifier } from '@boathouse/sql'
import {
  asksForTable,
  type Block,
  blocksOf,
  type Clause,
  clauseOf,
  type Cte,
  type Source,
} from './query-blocks.ts'
import { type Group, groupsOf, isGroup, keyOf, type Part } from './token-groups.ts'

/** What a level of parentheses around the cursor reads from, and the names that its WITH gives. */
export interface Scope {
  readonly sources: readonly Source[]
  readonly ctes: readonly Cte[]
}

/** What can be completed at the cursor. */
export interface CompletionPlace {
  /** Where the word begins that is being written, and where what it replaces ends. */
  readonly from: number
  readonly to: number
  readonly word: string
  /** The quote that was typed before the word; empty: none. */
  readonly quote: string
  /** Names before the word, each followed by a dot. */
  readonly path: readonly string[]
  /** `common`: a column that joined tables have in common, behind USING. */
  readonly wants: 'nothing' | 'table' | 'common' | 'anything'
  readonly clause: Clause
  /** A value can begin here, and not only what follows one. */
  readonly beginsValue: boolean
  /** The innermost first. */
  readonly scopes: readonly Scope[]
}

const NAME = String.raw`(?:[\p{L}_][\p{L}\p{N}_$]*|"(?:[^"]|"")*"|\x60[^\x60]*\x60)`
const WRITTEN = new RegExp(String.raw`((?:${NAME}\s*\.\s*)*)([\p{L}\p{N}_$]*)$`, 'u')
const BEFORE_VALUE = new Set(
  'select distinct where and or on by having qualify set when then else not case returning between in like ilike , = < > <= >= <> != + - / % || ( values'.split(
    ' ',
  ),
)

interface Written {
  readonly from: number
  readonly to: number
  readonly word: string
  readonly quote: string
  readonly path: string
  readonly isHidden: boolean
}

/** The word and the names before it. Texts, comments and numbers are not looked into. */
function writtenAt(text: string, at: number): Written {
  const lexer = new Lexer(text)
  while (lexer.next() && lexer.end < at);
  const { kind, start, end } = lexer
  const isOpen =
    at === end && (lexer.unterminated || (kind === TOKEN.comment && text.startsWith('--', start)))
  const isInside = start < at && (at < end || isOpen)
  if (kind === TOKEN.quotedIdentifier && isInside) {
    const [, path = ''] = WRITTEN.exec(text.slice(0, start)) ?? []
    const word = text.slice(start + 1, at)
    return { from: start, to: isOpen ? at : end, word, quote: text[start] ?? '', path, isHidden: false }
  }
  const [, path = '', word = ''] = WRITTEN.exec(text.slice(0, at)) ?? []
  const isText = isInside && (kind === TOKEN.comment || kind === TOKEN.string)
  return { from: at - word.length, to: at, word, quote: '', path, isHidden: isText || /^\d/.test(word) }
}

const isIn = ({ start, end, isClosed }: Group, at: number): boolean =>
  start < at && (at < end || (!isClosed && at <= end))

/** The groups around the cursor, the whole text first. */
function groupsAround(group: Group, at: number): Group[] {
  const inner = group.parts.find((part) => isGroup(part) && isIn(part, at))
  return isGroup(inner) ? [group, ...groupsAround(inner, at)] : [group]
}

const blockAt = (group: Group, at: number): Block | undefined =>
  blocksOf(group).findLast(({ start }) => start <= at)

/** A query of WITH does not know itself, unless it is recursive. */
const knownCtes = ({ ctes, isRecursive }: Block, at: number): Cte[] =>
  ctes.filter(({ query }) => isRecursive || !isIn(query, at))

function wantsAt(before: readonly Part[], outer: Part | undefined): CompletionPlace['wants'] {
  const last = before.length - 1
  const isInList = keyOf(before[last]) === ',' && clauseOf(before) === 'from'
  if ((last >= 0 && asksForTable(before, last)) || isInList) return 'table'
  return keyOf(outer) === 'using' ? 'common' : 'anything'
}

/**
 * What the words around the cursor say. `statement` begins at `start` in the text; `at` is the cursor in the text.
 */
export function completionPlace(statement: string, start: number, at: number): CompletionPlace {
  const cursor = at - start
  const { from, to, word, quote, path, isHidden } = writtenAt(statement, cursor)
  const begin = from - path.length
  // What is being written is neither a table nor an alias yet.
  const rest = statement.slice(0, begin) + ' '.repeat(to - begin) + statement.slice(to)
  const groups = groupsAround(groupsOf(rest), begin)
  const blocks = groups.flatMap((group) => blockAt(group, begin) ?? [])
  const before = (blocks.at(-1)?.parts ?? []).filter(({ end }) => end <= begin)
  const inner = groups.at(-1)
  const outer = groups.at(-2)?.parts.findLast(({ end }) => inner !== undefined && end <= inner.start)
  return {
    from: start + from,
    to: start + to,
    word,
    quote,
    path: (path.match(new RegExp(NAME, 'gu')) ?? []).map((name) => unquoteIdentifier(name)),
    wants: isHidden ? 'nothing' : wantsAt(before, outer),
    clause: clauseOf(before),
    beginsValue: before.length === 0 ? groups.length > 1 : BEFORE_VALUE.has(keyOf(before.at(-1))),
    scopes: blocks.map((block) => ({ sources: block.sources, ctes: knownCtes(block, begin) })).reverse(),
  }
}
