import { quoteIdentifier, type TokenEdits } from '@boathouse/sql'
import { isReserved } from './names.ts'
import { refuse } from './refusal.ts'
import type { Source } from './source.ts'

/** Types that DuckDB has under another name, or without the numbers that may follow. */
const TYPES: Readonly<Record<string, string>> = {
  BIT: 'BIGINT',
  BOOL: 'BOOLEAN',
  BOOLEAN: 'BOOLEAN',
  CHAR: 'VARCHAR',
  DATETIME: 'TIMESTAMP',
  DOUBLE: 'DOUBLE',
  FIXED: 'DECIMAL',
  FLOAT: 'FLOAT',
  LONGBLOB: 'BLOB',
  LONGTEXT: 'VARCHAR',
  MEDIUMBLOB: 'BLOB',
  MEDIUMINT: 'INTEGER',
  MEDIUMTEXT: 'VARCHAR',
  NCHAR: 'VARCHAR',
  NVARCHAR: 'VARCHAR',
  TEXT: 'VARCHAR',
  TIME: 'TIME',
  TIMESTAMP: 'TIMESTAMP',
  TINYBLOB: 'BLOB',
  TINYTEXT: 'VARCHAR',
  VARBINARY: 'BLOB',
  BINARY: 'BLOB',
  BLOB: 'BLOB',
  YEAR: 'SMALLINT',
  REAL: 'DOUBLE',
}
const WHOLE: Readonly<Record<string, string>> = {
  TINYINT: 'TINYINT',
  SMALLINT: 'SMALLINT',
  MEDIUMINT: 'INTEGER',
  INT: 'INTEGER',
  INTEGER: 'INTEGER',
  BIGINT: 'BIGINT',
}

const startsTable = (source: Source): number => {
  let at = source.first + 1
  while (['OR', 'REPLACE', 'TEMPORARY', 'TEMP'].includes(source.word(at))) at++
  if (source.word(at) !== 'TABLE') return -1
  at++
  if (source.word(at) === 'IF') at += 3
  while (source.word(at + 1) === '.') at += 2
  return at + 1
}

/** Notes what is between two tokens, as in any other statement. */
type NoteBetween = (first: number, last: number) => void

/** CREATE TABLE t (…) in the other server's types and options. False where it is something else, such as AS SELECT. */
export function noteTable(source: Source, edits: TokenEdits, noteBetween: NoteBetween): boolean {
  const opening = startsTable(source)
  if (opening < 0 || source.word(opening) !== '(') return false
  const closing = source.partner(opening)
  if (closing < 0) return false
  let first = opening + 1
  let isKept = false
  for (let at = first; at <= closing; at++) {
    const word = source.word(at)
    if (word === '(') {
      at = Math.max(at, source.partner(at))
      continue
    }
    if (word !== ',' && at !== closing) continue
    const kept = noteElement(source, [first, at - 1], edits)
    // The comma goes with what it parts.
    if (!kept) edits.replace(first, at - 1, '')
    if (first > opening + 1 && !(kept && isKept)) edits.set(first - 1, ' ')
    isKept ||= kept
    first = at + 1
  }
  noteOptions(source, closing + 1, edits)
  noteChecks(source, [opening, closing], noteBetween)
  refuseCounted(source, closing, edits)
  return true
}

/** The conditions of CHECK (…), of a column or of the table. */
function noteChecks(
  source: Source,
  [opening, closing]: readonly [number, number],
  noteBetween: NoteBetween,
): void {
  for (let at = opening + 1; at < closing; at++) {
    const end = source.word(at) === 'CHECK' && source.word(at + 1) === '(' ? source.partner(at + 1) : -1
    if (end > 0) noteBetween(at + 2, end - 1)
    at = Math.max(at, end)
  }
}

/** Without an index of its own a query finds the same rows. */
const DROPPED = /^(?:KEY|INDEX|FULLTEXT|SPATIAL)$/

/** A column or a constraint; false where it is left out. */
function noteElement(source: Source, [first, last]: readonly [number, number], edits: TokenEdits): boolean {
  const word = source.word(first)
  if (DROPPED.test(word) && (source.word(last) === ')' || source.word(first + 1) === 'KEY')) return false
  if (word === 'CHECK' || isNamedCheck(source, first)) return noteCheck(source, last, edits)
  if (word === 'PRIMARY' || word === 'UNIQUE' || word === 'CONSTRAINT' || word === 'FOREIGN') {
    noteConstraint(source, [first, last], edits)
    return true
  }
  noteColumn(source, [first, last], edits)
  return true
}

/** CONSTRAINT [name] CHECK (…) */
const isNamedCheck = (source: Source, first: number): boolean =>
  source.word(first) === 'CONSTRAINT' &&
  (source.word(first + 1) === 'CHECK' || source.word(first + 2) === 'CHECK')

/** CHECK (…) [[NOT] ENFORCED]; false where it is not to be enforced. */
function noteCheck(source: Source, last: number, edits: TokenEdits): boolean {
  if (source.word(last) !== 'ENFORCED') return true
  if (source.word(last - 1) === 'NOT') return false
  edits.set(last, '')
  return true
}

/** UNIQUE KEY name (a, b(10)) USING BTREE */
function noteConstraint(source: Source, [first, last]: readonly [number, number], edits: TokenEdits): void {
  let at = first
  for (; at <= last; at++) if (source.word(at) === '(') break
  const closing = at <= last ? source.partner(at) : -1
  if (closing < 0) return
  const isForeign =
    source.word(first) === 'FOREIGN' || source.written(first, at).toUpperCase().includes('FOREIGN')
  if (isForeign) return
  const isUnique = source
    .written(first, at - 1)
    .toUpperCase()
    .includes('UNIQUE')
  edits.replace(first, at - 1, isUnique ? 'UNIQUE ' : 'PRIMARY KEY ')
  for (let inside = at + 1; inside < closing; inside++) {
    if (source.word(inside) === '(') {
      const end = source.partner(inside)
      if (end < 0) return
      edits.replace(inside, end, '')
      inside = end
    } else if (source.word(inside) === 'ASC' || source.word(inside) === 'DESC') edits.set(inside, '')
  }
  if (closing < last) edits.replace(closing + 1, last, '')
}

export function noteColumn(
  source: Source,
  [first, last]: readonly [number, number],
  edits: TokenEdits,
): void {
  const type = first + 1
  if (type > last) return
  if (isReserved(source.word(first))) edits.set(first, quoteIdentifier(source.written(first, first)))
  const word = source.word(type)
  let next = type + 1
  const closing = source.word(next) === '(' ? source.partner(next) : -1
  if (closing > 0) next = closing + 1
  const isUnsigned = source.word(next) === 'UNSIGNED'
  while (['UNSIGNED', 'SIGNED', 'ZEROFILL', 'PRECISION', 'VARYING'].includes(source.word(next))) next++
  const whole = Object.hasOwn(WHOLE, word) ? WHOLE[word] : undefined
  if (whole) {
    const isSwitch = word === 'TINYINT' && source.written(type + 1, next - 1).replaceAll(/\s/g, '') === '(1)'
    edits.replace(type, next - 1, isSwitch ? 'TINYINT' : isUnsigned ? `U${whole}` : whole)
  } else if (word === 'SET' && closing > 0) edits.replace(type, next - 1, 'VARCHAR')
  else if (word === 'DECIMAL' || word === 'NUMERIC' || word === 'DEC') {
    const numbers = closing > 0 ? source.written(type + 1, closing) : '(10, 0)'
    edits.replace(
      type,
      next - 1,
      `DECIMAL${/^\(\s*\d+\s*\)$/.test(numbers) ? numbers.replace(')', ', 0)') : numbers}`,
    )
  } else if (Object.hasOwn(TYPES, word)) {
    const numbers =
      word === 'CHAR' || word === 'NCHAR' || word === 'NVARCHAR' ? source.written(type + 1, next - 1) : ''
    edits.replace(type, next - 1, `${TYPES[word]}${closing > 0 ? numbers : ''}`)
  }
  noteAttributes(source, [next, last], edits)
}

/** What follows the type of a column. */
function noteAttributes(source: Source, [first, last]: readonly [number, number], edits: TokenEdits): void {
  const drop = (from: number, to: number) => edits.replace(from, Math.min(to, last), ' ')
  for (let at = first; at <= last; at++) {
    const word = source.word(at)
    if (word === '(') at = Math.max(at, source.partner(at))
    else if (word === 'COMMENT' || word === 'COLLATE') drop(at, ++at)
    else if (word === 'CHARACTER' && source.word(at + 1) === 'SET') drop(at, (at += 2))
    else if (word === 'CHARSET') drop(at, ++at)
    else if (word === 'ON' && source.word(at + 1) === 'UPDATE') {
      const end = source.word(at + 3) === '(' ? source.partner(at + 3) : at + 2
      drop(at, end)
      at = Math.max(at, end)
    } else if (word === 'UNIQUE' && source.word(at + 1) === 'KEY') edits.set(at + 1, '')
    else if ((word === 'CURRENT_TIMESTAMP' || word === 'NOW') && source.word(at + 1) === '(') {
      const end = source.partner(at + 1)
      if (end > 0) edits.replace(at, end, 'CURRENT_TIMESTAMP')
      at = Math.max(at, end)
    } else if (word === 'KEY' && source.word(at - 1) !== 'PRIMARY' && source.word(at - 1) !== 'UNIQUE')
      edits.set(at, 'PRIMARY KEY')
  }
}

/** ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 and the like, up to a query. */
function noteOptions(source: Source, first: number, edits: TokenEdits): void {
  let last = first
  while (last < source.until && !['AS', 'SELECT', ';', 'WITH'].includes(source.word(last))) last++
  if (last > first) edits.replace(first, last - 1, ' ')
}

const COUNTED =
  "AUTO_INCREMENT is not available. Create a sequence, and give the column DEFAULT nextval('its name')."

/** One statement cannot make the sequence that such a column needs: it is refused, and not made without. */
function refuseCounted(source: Source, closing: number, edits: TokenEdits): void {
  for (let at = source.first; at < closing; at++)
    if (source.word(at) === 'AUTO_INCREMENT' && source.word(at - 1) !== '.')
      return refuse(source, edits, COUNTED)
}
