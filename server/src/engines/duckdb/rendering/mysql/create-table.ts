import { quoteIdentifier, type TokenEdits } from '@boathouse/sql'
import { noteColumnNames } from './column-names.ts'
import { type Commented, commentsOn, elementsBetween } from './comments.ts'
import { endOfName, nameBetween } from './named-tables.ts'
import { isReserved } from './names.ts'
import { refuse } from './refusal.ts'
import type { Source } from './source.ts'
import { readOptions, type TableOptions } from './table-options.ts'

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
  LARGEINT: 'HUGEINT',
}

/** Where the name of a new table begins and ends, and whether it may be there already. */
interface NamedNew {
  readonly first: number
  readonly last: number
  readonly lenient: boolean
  readonly temporary: boolean
}

function newTable(source: Source): NamedNew | null {
  let at = source.first + 1
  let temporary = false
  for (; ['OR', 'REPLACE', 'TEMPORARY', 'TEMP'].includes(source.word(at)); at++)
    temporary ||= source.word(at).startsWith('TEMP')
  if (source.word(at) !== 'TABLE') return null
  const lenient = source.word(at + 1) === 'IF'
  const first = at + (lenient ? 4 : 1)
  return { first, last: endOfName(source, first), lenient, temporary }
}

/** Notes what is between two tokens, as in any other statement. */
type NoteBetween = (first: number, last: number) => void

/** CREATE TABLE t (…) in the other server's types and options. False where nothing of it is to be written otherwise. */
export function noteTable(source: Source, edits: TokenEdits, noteBetween: NoteBetween): boolean {
  const table = newTable(source)
  if (!table) return false
  const opening = table.last + 1
  if (source.word(opening) !== '(') {
    const options = readOptions(source, opening, edits)
    const isWritten = options.next === opening && source.word(opening) === 'AS'
    if (isWritten || !isQuery(source, options.next)) return false
    noteComments(source, { table, columns: [], options: [opening, options.next - 1] }, edits)
    if (options.next > opening) edits.replace(opening, options.next - 1, ' ')
    noteQuery(source, { table, options, edits, noteBetween })
    return true
  }
  const closing = source.partner(opening)
  if (closing < 0) return false
  const isKept = noteElements(source, [opening, closing], edits)
  const options = readOptions(source, closing + 1, edits)
  const columns = elementsBetween(source, opening, closing)
  noteComments(source, { table, columns, options: [closing + 1, options.next - 1] }, edits)
  if (options.next > closing + 1) edits.replace(closing + 1, options.next - 1, ' ')
  if (!isKept && isQuery(source, options.next)) {
    edits.set(opening, ' ')
    edits.set(closing, ' ')
    noteQuery(source, { table, options, edits, noteBetween })
    return true
  }
  if (options.key !== null)
    edits.enclose(closing, closing, { before: `, PRIMARY KEY (${options.key})`, after: '' })
  noteChecks(source, [opening, closing], noteBetween)
  if (options.refusal !== null) refuse(source, edits, options.refusal)
  refuseCounted(source, closing, edits)
  return true
}

const NOT_COMMENTED =
  'COMMENT has no effect with IF NOT EXISTS and on temporary tables. Send COMMENT ON TABLE or COMMENT ON COLUMN behind it.'

type NewComments = Omit<Commented, 'table'> & { readonly table: NamedNew }

/** Behind the table, which must be a new one: one that is already there keeps its comments. */
function noteComments(source: Source, { table, ...where }: NewComments, edits: TokenEdits): void {
  const comments = commentsOn(source, { table: nameBetween(source, table.first, table.last), ...where })
  if (comments.length === 0) return
  if (table.lenient || table.temporary) edits.warn(NOT_COMMENTED)
  else for (const comment of comments) edits.runBehind(comment)
}

const isQuery = (source: Source, at: number): boolean => /^(?:AS|SELECT|WITH)$/.test(source.word(at))

interface MadeOfQuery {
  readonly table: NamedNew
  readonly options: TableOptions
  readonly edits: TokenEdits
  readonly noteBetween: NoteBetween
}

const NOT_LENIENT =
  'IF NOT EXISTS is not available with PRIMARY KEY and AS SELECT: a table that is already there would get the key. Leave it out.'

/** CREATE TABLE t PRIMARY KEY (id) DISTRIBUTED BY HASH (id) AS SELECT … */
function noteQuery(source: Source, { table, options, edits, noteBetween }: MadeOfQuery): void {
  const { key, next, refusal } = options
  if (refusal !== null) return refuse(source, edits, refusal)
  if (key !== null && table.lenient) return refuse(source, edits, NOT_LENIENT)
  noteBetween(next, source.until - 1)
  noteColumnNames(source, edits)
  if (source.word(next) !== 'AS') edits.enclose(next, next, { before: 'AS ', after: '' })
  if (key !== null)
    edits.runBehind(`ALTER TABLE ${nameBetween(source, table.first, table.last)} ADD PRIMARY KEY (${key})`)
}

/** What stands between the parentheses of a table; false where nothing of it is left. */
function noteElements(
  source: Source,
  [opening, closing]: readonly [number, number],
  edits: TokenEdits,
): boolean {
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
  return isKept
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
  const isIndex =
    source.word(last) === ')' || source.word(last - 1) === 'USING' || source.word(first + 1) === 'KEY'
  if (DROPPED.test(word) && isIndex) return false
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

const COUNTED =
  "AUTO_INCREMENT is not available. Create a sequence, and give the column DEFAULT nextval('its name')."

/** One statement cannot make the sequence that such a column needs: it is refused, and not made without. */
function refuseCounted(source: Source, closing: number, edits: TokenEdits): void {
  for (let at = source.first; at < closing; at++)
    if (source.word(at) === 'AUTO_INCREMENT' && source.word(at - 1) !== '.')
      return refuse(source, edits, COUNTED)
}
