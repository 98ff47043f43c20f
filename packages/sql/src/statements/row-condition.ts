import { likeMatcher } from './like.ts'
import type { TokenReader } from '../text/token-reader.ts'

/** The condition of a SHOW … WHERE, over the columns of what it shows. */
export type RowCondition =
  | { readonly is: 'and' | 'or'; readonly parts: readonly RowCondition[] }
  | { readonly is: 'not'; readonly part: RowCondition }
  | {
      readonly is: '=' | '<' | '>' | '<=' | '>=' | 'like' | 'in' | 'null'
      readonly column: string
      /** Where the column is named in the statement. */
      readonly offset: number
      readonly values: readonly string[]
    }

type Comparison = Extract<RowCondition, { column: string }>

/** Nothing that is written by hand is deeper. */
const DEEPEST = 100

/** Null where it cannot be read; the reader is then at what is not understood. */
export function readCondition(reader: TokenReader, depth = 0): RowCondition | null {
  return readParts(reader, 'or', () => readParts(reader, 'and', () => readTerm(reader, depth)))
}

function readParts(
  reader: TokenReader,
  is: 'and' | 'or',
  read: () => RowCondition | null,
): RowCondition | null {
  const parts: RowCondition[] = []
  do {
    const part = read()
    if (!part) return null
    parts.push(part)
  } while (reader.take(is.toUpperCase()))
  return parts.length === 1 ? (parts[0] ?? null) : { is, parts }
}

function readTerm(reader: TokenReader, depth: number): RowCondition | null {
  if (depth > DEEPEST) return null
  if (reader.take('NOT')) {
    const part = readTerm(reader, depth + 1)
    return part && { is: 'not', part }
  }
  if (!reader.take('(')) return readComparison(reader)
  const inside = readCondition(reader, depth + 1)
  return inside && reader.take(')') ? inside : null
}

function readComparison(reader: TokenReader): RowCondition | null {
  const offset = reader.offset()
  const column = reader.qualifiedName()?.at(-1)
  if (column === undefined) return null
  const compared = (is: Comparison['is'], values: readonly string[] | null): RowCondition | null =>
    values && { is, column, offset, values }
  const not = (part: RowCondition | null): RowCondition | null => part && { is: 'not', part }
  const one = () => {
    const value = reader.value()
    return value === null ? null : [value]
  }
  if (reader.take('IS')) {
    const isNot = reader.take('NOT')
    const isNull = reader.take('NULL') ? compared('null', []) : null
    return isNot ? not(isNull) : isNull
  }
  if (reader.take('NOT')) {
    if (reader.take('LIKE')) return not(compared('like', one()))
    return reader.take('IN') ? not(compared('in', readList(reader))) : null
  }
  if (reader.take('LIKE')) return compared('like', one())
  if (reader.take('IN')) return compared('in', readList(reader))
  if (reader.take('<>', '!=')) return not(compared('=', one()))
  const operator = reader.take('=', '<', '>', '<=', '>=')
  return operator ? compared(operator as Comparison['is'], one()) : null
}

function readList(reader: TokenReader): string[] | null {
  if (!reader.take('(')) return null
  const values: string[] = []
  do {
    const value = reader.value()
    if (value === null) return null
    values.push(value)
  } while (reader.take(','))
  return reader.take(')') ? values : null
}

/** The first column in it that is not among these. */
export function unknownColumn(
  condition: RowCondition,
  columns: readonly string[],
): { readonly column: string; readonly offset: number } | null {
  if (condition.is === 'not') return unknownColumn(condition.part, columns)
  if ('parts' in condition) {
    for (const part of condition.parts) {
      const unknown = unknownColumn(part, columns)
      if (unknown) return unknown
    }
    return null
  }
  return columnAt(columns, condition.column) === -1 ? condition : null
}

const columnAt = (columns: readonly string[], name: string): number =>
  columns.findIndex((column) => column.toLowerCase() === name.toLowerCase())

type Row = readonly (string | null)[]

/** Whether rows of these columns meet it. Texts are compared without regard to case; NULL meets nothing but IS NULL. */
export function rowMatcher(condition: RowCondition, columns: readonly string[]): (row: Row) => boolean {
  if (condition.is === 'not') {
    const isMet = rowMatcher(condition.part, columns)
    return (row) => !isMet(row)
  }
  if ('parts' in condition) {
    const parts = condition.parts.map((part) => rowMatcher(part, columns))
    return condition.is === 'and'
      ? (row) => parts.every((isMet) => isMet(row))
      : (row) => parts.some((isMet) => isMet(row))
  }
  const at = columnAt(columns, condition.column)
  const isMet = valueMatcher(condition)
  return (row) => {
    const value = row[at] ?? null
    return condition.is === 'null' ? value === null : value !== null && isMet(value)
  }
}

function valueMatcher({ is, values }: Comparison): (value: string) => boolean {
  if (is === 'like') return likeMatcher(values[0])
  const wanted = values.map((value) => value.toLowerCase())
  if (is === '=' || is === 'in') return (value) => wanted.includes(value.toLowerCase())
  return (value) => {
    const order = compare(value.toLowerCase(), wanted[0] ?? '')
    return is === '<' ? order < 0 : is === '>' ? order > 0 : is === '<=' ? order <= 0 : order >= 0
  }
}

/** Numbers by their value, all else by its letters. */
function compare(one: string, other: string): number {
  const [a, b] = [Number(one), Number(other)]
  if (one !== '' && other !== '' && !Number.isNaN(a) && !Number.isNaN(b)) return a - b
  return one < other ? -1 : one > other ? 1 : 0
}
