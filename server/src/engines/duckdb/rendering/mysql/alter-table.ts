import { quoteIdentifier, type TokenEdits, unquoteIdentifier } from '@boathouse/sql'
import { commentsOn, noteTableComment, NO_COLUMN } from './comments.ts'
import { noteColumn } from './create-table.ts'
import { endOfName, nameBetween } from './named-tables.ts'
import { refuse } from './refusal.ts'
import type { Source } from './source.ts'

/** Columns that are added stand behind the others, wherever they were wanted. */
const NOT_PLACED =
  'FIRST and AFTER have no effect: a new column is the last one of its table. Name the columns in your SELECT and INSERT.'
const ONE_CHANGE = 'ALTER TABLE makes one change at a time. Send a statement for each.'
const TYPE_ALONE =
  'MODIFY changes the type alone. Send ALTER TABLE … ALTER COLUMN … SET DEFAULT, SET NOT NULL or DROP NOT NULL for the rest.'
const ONE_OF_TWO =
  'CHANGE gives a column another name or another type. Send RENAME COLUMN and MODIFY COLUMN for both.'

/** The last token of the first change; the end of the statement where it is the only one. */
function endOfChange(source: Source, first: number): { readonly last: number; readonly isOnly: boolean } {
  for (let at = first; at < source.until; at++) {
    const word = source.word(at)
    if (word === '(') at = Math.max(at, source.partner(at))
    else if (word === ',' || word === ';') return { last: at - 1, isOnly: word === ';' }
  }
  return { last: source.until - 1, isOnly: true }
}

/** ALTER TABLE name change */
export function noteAlter(source: Source, edits: TokenEdits): void {
  if (source.word(source.first + 1) !== 'TABLE') return
  const name = source.word(source.first + 2) === 'IF' ? source.first + 4 : source.first + 2
  const first = endOfName(source, name) + 1
  const { last, isOnly } = endOfChange(source, first)
  if (!isOnly) return refuse(source, edits, ONE_CHANGE)
  const verb = source.word(first)
  const column = source.word(first + 1) === 'COLUMN' ? first + 2 : first + 1
  const table = nameBetween(source, name, first - 1)
  const noteComment = (at: number): void =>
    commentsOn(source, { table, columns: [[at, last]] }).forEach((text) => edits.runBehind(text))
  if (verb === 'ADD') {
    noteAdded(source, [column, last], edits)
    noteComment(column)
  } else if (verb === 'MODIFY') {
    noteModified(source, { first, column, last }, edits)
    noteComment(column)
  } else if (verb === 'CHANGE') {
    noteChanged(source, { first, column, last }, edits)
    noteComment(column + 1)
  } else if (verb === 'COMMENT') noteTableComment(source, { name, first, last }, edits)
  else if (verb === 'SWAP' && source.word(first + 1) === 'WITH' && source.isName(first + 2))
    noteSwapped(source, { first, name, last }, edits)
  else if (verb === 'RENAME' && (source.word(first + 1) === 'AS' || first + 1 === last))
    edits.replace(first, first + 1 === last ? first : first + 1, 'RENAME TO')
}

interface Swap {
  readonly name: number
  readonly first: number
  readonly last: number
}

/** What the first table is called until the second one has given its name away. */
const BETWEEN = '__swapped'

/** ALTER TABLE a SWAP WITH b: each takes the name of the other. */
function noteSwapped(source: Source, { name, first, last }: Swap, edits: TokenEdits): void {
  if (endOfName(source, first + 2) !== last) return
  const place = first - 3 >= name ? `${nameBetween(source, name, first - 3)}.` : ''
  const [one, other] = [plain(source, first - 1), plain(source, last)]
  const renames = (from: string, to: string) =>
    `ALTER TABLE ${place}${quoteIdentifier(from)} RENAME TO ${quoteIdentifier(to)}`
  edits.replace(source.first, last, renames(one, one + BETWEEN))
  edits.runBehind(renames(other, one))
  edits.runBehind(renames(one + BETWEEN, other))
}

/** ADD [COLUMN] name type … [FIRST | AFTER other] */
function noteAdded(source: Source, [first, last]: readonly [number, number], edits: TokenEdits): void {
  if (NO_COLUMN.has(source.word(first)) || source.word(first) === '(') return
  const column = source.word(first) === 'IF' ? first + 3 : first
  const placed = placeOf(source, last)
  if (placed !== null) {
    edits.replace(placed, last, ' ')
    edits.warn(NOT_PLACED)
  }
  noteColumn(source, [column, placed === null ? last : placed - 1], edits)
}

/** Where FIRST or AFTER name stands; null where neither does. */
function placeOf(source: Source, last: number): number | null {
  if (source.word(last) === 'FIRST') return last
  return source.word(last - 1) === 'AFTER' ? last - 1 : null
}

interface Change {
  readonly first: number
  /** Where the name of the column is. */
  readonly column: number
  readonly last: number
}

const OTHER = /\b(?:DEFAULT|NOT|AUTO_INCREMENT|PRIMARY|UNIQUE|GENERATED|REFERENCES)\b/i

/** MODIFY [COLUMN] name type */
function noteModified(source: Source, { first, column, last }: Change, edits: TokenEdits): void {
  const placed = placeOf(source, last)
  const end = placed === null ? last : placed - 1
  if (placed !== null) {
    edits.replace(placed, last, ' ')
    edits.warn(NOT_PLACED)
  }
  if (OTHER.test(source.written(column + 1, end))) return refuse(source, edits, TYPE_ALONE)
  edits.replace(first, column - 1, 'ALTER COLUMN')
  noteColumn(source, [column, end], edits)
  edits.enclose(column, column, { before: '', after: ' TYPE' })
}

const plain = (source: Source, at: number): string => unquoteIdentifier(source.written(at, at))

/** CHANGE [COLUMN] name other-name type: with the same name it is MODIFY. */
function noteChanged(source: Source, { first, column, last }: Change, edits: TokenEdits): void {
  if (plain(source, column) !== plain(source, column + 1)) return refuse(source, edits, ONE_OF_TWO)
  if (OTHER.test(source.written(column + 2, last))) return refuse(source, edits, TYPE_ALONE)
  edits.replace(first, column, 'ALTER COLUMN')
  noteColumn(source, [column + 1, last], edits)
  edits.enclose(column + 1, column + 1, { before: '', after: ' TYPE' })
}
