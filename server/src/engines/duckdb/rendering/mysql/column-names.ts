import { isUnterminated, quoteIdentifier, TOKEN, type TokenEdits, unquoteIdentifier } from '@boathouse/sql'
import type { Source } from './source.ts'

/** As long as the other server has them. */
const LONGEST_NAME = 256
/** Of what is selected, so many get a name. */
const MOST_ITEMS = 4096

const BEHIND_SELECT = new Set(
  'DISTINCT ALL DISTINCTROW SQL_NO_CACHE SQL_CACHE SQL_CALC_FOUND_ROWS STRAIGHT_JOIN HIGH_PRIORITY'.split(
    ' ',
  ),
)
const BEHIND_ITEMS = new Set(
  'FROM WHERE GROUP HAVING ORDER LIMIT UNION EXCEPT INTERSECT FOR LOCK INTO WINDOW PROCEDURE QUALIFY ; )'.split(
    ' ',
  ),
)

/** Where the outermost query selects something; -1 where it does not. */
function outermostSelect(source: Source): number {
  let at = source.word(source.first) === 'CREATE' ? definedQuery(source) : source.first
  while (source.word(at) === '(') at++
  if (source.word(at) !== 'WITH') return source.word(at) === 'SELECT' ? at : -1
  for (; at < source.until; at++) {
    const word = source.word(at)
    if (word === '(') at = Math.max(at, source.partner(at))
    else if (word === 'SELECT') return at
  }
  return -1
}

/** Of CREATE TABLE t AS SELECT …, and of a view: its columns get the names as well. */
function definedQuery(source: Source): number {
  for (let at = source.first; at < source.until; at++) {
    const word = source.word(at)
    if (word === '(') at = Math.max(at, source.partner(at))
    else if (word === 'AS') return at + 1
  }
  return source.until
}

/** Gives every column of the outermost query that has no name the one that the other server gives it: as it is written. */
export function noteColumnNames(source: Source, edits: TokenEdits): void {
  const select = outermostSelect(source)
  if (select < 0) return
  let first = select + 1
  while (BEHIND_SELECT.has(source.word(first)) && source.word(first + 1) !== ',') first++
  let items = 0
  for (let at = first; at <= source.until && items < MOST_ITEMS; at++) {
    const word = at < source.until ? source.word(at) : ';'
    if (word === '(') {
      const closing = source.partner(at)
      if (closing < 0) return
      at = closing
      continue
    }
    const isEnd = at >= source.until || (BEHIND_ITEMS.has(word) && source.word(at - 1) !== '.')
    if (word !== ',' && !isEnd) continue
    if (at > first) noteItem(source, [first, at - 1], edits)
    items++
    if (isEnd) return
    first = at + 1
  }
}

function noteItem(source: Source, [first, last]: readonly [number, number], edits: TokenEdits): void {
  const end = source.word(last)
  if (end === '*' || source.kind(last) === 0 || isUnterminated(source.piece, last)) return
  if (isVariable(source, first, last)) return
  const isAliased = last > first && source.word(last - 1) === 'AS'
  if (isAliased || isAlias(source, first, last)) return noteAlias(source, last, edits)
  const name = nameOf(source, first, last)
  if (name === null || name.includes('\0')) return
  edits.enclose(first, last, { before: '', after: ` AS ${quoteIdentifier(name)}` })
}

/** What is set for the session has a name already. */
function isVariable(source: Source, first: number, last: number): boolean {
  if (source.word(first) !== '@@' && source.word(first) !== '@') return false
  for (let at = first + 1; at <= last; at++) if (source.word(at) !== '.' && !source.isName(at)) return false
  return true
}

/** 'A text' may name a column. */
function noteAlias(source: Source, at: number, edits: TokenEdits): void {
  const name = source.literal(at)
  if (name !== null && name !== '' && !name.includes('\0')) edits.set(at, quoteIdentifier(name))
}

const ENDS = new Set(['END', 'NULL', 'TRUE', 'FALSE', 'UNKNOWN'])
const OPERATORS = new Set([
  'AND',
  'OR',
  'XOR',
  'NOT',
  'IS',
  'IN',
  'LIKE',
  'REGEXP',
  'RLIKE',
  'BETWEEN',
  'DIV',
  'MOD',
  'BINARY',
  'INTERVAL',
  'THEN',
  'ELSE',
  'WHEN',
  'CASE',
  'ESCAPE',
  'COLLATE',
  'SEPARATOR',
  'USING',
  'EXISTS',
  'DATE',
  'TIME',
  'TIMESTAMP',
])

/** A name right behind a value. */
function isAlias(source: Source, first: number, last: number): boolean {
  if (last === first) return false
  const kind = source.kind(last)
  const before = source.word(last - 1)
  if (kind === TOKEN.string)
    return (
      source.kind(last - 1) !== TOKEN.string &&
      source.endsValue(last - 1) &&
      !OPERATORS.has(before) &&
      !source.isTyped(last)
    )
  if (kind !== TOKEN.word && kind !== TOKEN.quotedIdentifier) return false
  if (ENDS.has(source.word(last)) || before === '.' || OPERATORS.has(before)) return false
  // 0x41
  if (source.kind(last - 1) === TOKEN.number && source.touches(last - 1)) return false
  // INTERVAL 1 DAY
  if (source.kind(last) === TOKEN.word && isBehindInterval(source, first, last)) return false
  return source.endsValue(last - 1) && before !== 'COLLATE'
}

function isBehindInterval(source: Source, first: number, last: number): boolean {
  const start = source.startOfValue(last - 1)
  return start > first && source.word(start - 1) === 'INTERVAL'
}

/** What the other server calls it: the name of a column, what a text says, else what is written. */
function nameOf(source: Source, first: number, last: number): string | null {
  if (source.word(first) === '(' && source.partner(first) === last && isSingle(source, first + 1, last - 1))
    return nameOf(source, first + 1, last - 1)
  if (isColumn(source, first, last)) return unquoteIdentifier(source.written(last, last))
  if (source.word(first) === '+' && first < last) return nameOf(source, first + 1, last)
  const introduced = /^(?:N|_[A-Z0-9]+)$/.test(source.word(first)) && source.isTyped(first + 1)
  let text = ''
  for (let at = introduced ? first + 1 : first; at <= last; at++) {
    const part = source.literal(at)
    if (part === null) return source.written(first, last).slice(0, LONGEST_NAME).trim()
    text += part
  }
  return text.trim().slice(0, LONGEST_NAME) || null
}

const isSingle = (source: Source, first: number, last: number): boolean =>
  first === last || isColumn(source, first, last)

function isColumn(source: Source, first: number, last: number): boolean {
  for (let at = first; at <= last; at += 2) {
    if (!source.isName(at)) return false
    if (at < last && source.word(at + 1) !== '.') return false
  }
  return (last - first) % 2 === 0
}
