import { readQualifiedName } from '../text/names.ts'
import { isName, keywordAt, type Piece } from '../text/piece.ts'

/** A table as a statement names it, and what the statement does with it. */
export interface NamedTable {
  /** Outermost first. */
  readonly parts: readonly string[]
  readonly writes: boolean
}

/** Of a longer statement the rest is values: its tables are named by then. */
const MOST_TOKENS = 4_000

const READ_AFTER = new Set(['FROM', 'JOIN', 'USING'])
const WRITTEN_AFTER = new Set(['INTO', 'UPDATE', 'TRUNCATE', 'TABLE', 'OVERWRITE'])
/** Their FROM is not that of a query: `extract(year FROM day)`. */
const OWN_FROM = new Set(['EXTRACT', 'SUBSTRING', 'TRIM', 'OVERLAY', 'POSITION'])
const BETWEEN = new Set(['IF', 'NOT', 'EXISTS', 'ONLY', 'LATERAL', 'TABLE', 'LOW_PRIORITY', 'IGNORE'])
/** Behind UPDATE or FROM these begin something else. */
const NO_TABLE = new Set(['SET', 'SELECT', 'VALUES', 'OF', 'NOWAIT', 'SKIP', 'WITH', 'UNNEST'])
/** Before UPDATE these make it a part of another clause; DISTINCT stands before a FROM that compares. */
const NOT_BEHIND = new Set(['FOR', 'DO', 'ON', 'KEY', 'DISTINCT'])

/** Names of common table expressions: `name [(columns)] AS [[NOT] MATERIALIZED] (`. */
function ownNames(piece: Piece, until: number): Set<string> {
  const names = new Set<string>()
  for (let at = piece.first; at < until; at++) {
    const before = keywordAt(piece, at - 1)
    if (!isName(piece, at) || !['WITH', 'RECURSIVE', ','].includes(before)) continue
    let next = at + 1
    if (keywordAt(piece, next) === '(') next = Math.max(next, piece.tokens.partners[next] ?? next) + 1
    if (keywordAt(piece, next) !== 'AS') continue
    while (['AS', 'NOT', 'MATERIALIZED'].includes(keywordAt(piece, next))) next++
    const name = readQualifiedName(piece, at)?.parts[0]
    if (keywordAt(piece, next) === '(' && name !== undefined) names.add(name.toLowerCase())
  }
  return names
}

/** Where the function begins whose parentheses hold each token, as far as it has a FROM of its own. */
function ownFroms(piece: Piece, until: number): (at: number) => boolean {
  const ranges: [number, number][] = []
  for (let at = piece.first; at < until; at++)
    if (OWN_FROM.has(keywordAt(piece, at)) && keywordAt(piece, at + 1) === '(')
      ranges.push([at + 1, piece.tokens.partners[at + 1] ?? at + 1])
  return (at) => ranges.some(([from, to]) => at > from && at < to)
}

/**
 * The tables that a statement names, by its tokens alone: those behind FROM, JOIN, INTO and the like, without common table
 * expressions and functions. What they are is for the one who knows the names of the account.
 */
export function namedTables(piece: Piece): NamedTable[] {
  const until = Math.min(piece.until, piece.first + MOST_TOKENS)
  const own = ownNames(piece, until)
  const isOwnFrom = ownFroms(piece, until)
  const found = new Map<string, NamedTable>()
  const add = (parts: readonly string[], writes: boolean): void => {
    if (parts.length === 1 && own.has((parts[0] ?? '').toLowerCase())) return
    found.set(JSON.stringify([writes, ...parts]), { parts, writes })
  }
  for (let at = piece.first; at < until; at++) {
    const word = keywordAt(piece, at)
    const before = keywordAt(piece, at - 1)
    const deletes = word === 'FROM' && before === 'DELETE'
    const isWritten = WRITTEN_AFTER.has(word) || deletes
    if ((!READ_AFTER.has(word) && !isWritten) || NOT_BEHIND.has(before) || isOwnFrom(at)) continue
    if (word === 'UPDATE' && at > piece.first && before !== ')') continue
    at = readList(piece, at + 1, (parts) => add(parts, isWritten)) - 1
  }
  return [...found.values()]
}

/** `a.b [AS] x, c.d, …`; gives the token behind it. */
function readList(piece: Piece, from: number, add: (parts: readonly string[]) => void): number {
  let at = from
  for (;;) {
    while (BETWEEN.has(keywordAt(piece, at)) && at < piece.until) at++
    const name = NO_TABLE.has(keywordAt(piece, at)) ? null : readQualifiedName(piece, at)
    if (!name) return at
    if (keywordAt(piece, name.next) !== '(' || isIntoList(piece, from)) add(name.parts)
    const alias = keywordAt(piece, name.next) === 'AS' ? name.next + 1 : name.next
    const next = keywordAt(piece, alias) === ',' ? alias : alias + 1
    if (keywordAt(piece, next) !== ',' || !isName(piece, next + 1)) return name.next
    at = next + 1
  }
}

/** INTO t (a, b): the parenthesis holds columns. */
const isIntoList = (piece: Piece, from: number): boolean =>
  ['INTO', 'TABLE', 'EXISTS', 'OVERWRITE'].includes(keywordAt(piece, from - 1))
