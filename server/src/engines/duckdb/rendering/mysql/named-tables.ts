import { asName } from './names.ts'
import type { Source } from './source.ts'

/** A table that a statement names, and the name by which the rest of the statement calls it. */
export interface NamedTable {
  /** In double quotes, as all names here. */
  readonly table: string
  readonly alias: string
}

const BEFORE_TABLE = new Set(['JOIN', 'STRAIGHT_JOIN', ',', '('])
const NO_ALIAS = new Set(
  `JOIN STRAIGHT_JOIN INNER CROSS LEFT RIGHT OUTER NATURAL FULL ON USING SET WHERE ORDER LIMIT USE FORCE IGNORE PARTITION
  RETURNING , ; ( )`.split(/\s+/),
)

/** The tables between two tokens, as FROM and UPDATE name them. Subqueries are left out. */
export function tablesBetween(source: Source, first: number, last: number): readonly NamedTable[] {
  const tables: NamedTable[] = []
  let isExpected = true
  for (let at = first; at <= last; at++) {
    const word = source.word(at)
    const inner = source.word(at + 1)
    if (word === '(' && (!isExpected || inner === 'SELECT' || inner === 'WITH' || inner === 'VALUES')) {
      at = Math.max(at, source.partner(at))
      isExpected = false
    } else if (isExpected && source.isName(at)) {
      const end = endOfName(source, at)
      tables.push(tableAt(source, at, end))
      at = end
      isExpected = false
    } else if (BEFORE_TABLE.has(word)) isExpected = true
  }
  return tables
}

/** The last token of a name that may have others before it: catalog.database.table */
export function endOfName(source: Source, first: number): number {
  let at = first
  while (source.word(at + 1) === '.') at += 2
  return at
}

/** A name of several parts, in double quotes. */
export function nameBetween(source: Source, first: number, last: number): string {
  let name = asName(source.written(first, first))
  for (let at = first + 2; at <= last; at += 2) name += `.${asName(source.written(at, at))}`
  return name
}

function tableAt(source: Source, first: number, end: number): NamedTable {
  const next = source.word(end + 1) === 'AS' ? end + 2 : end + 1
  const isNamed = next > end + 1 || (source.isName(next) && !NO_ALIAS.has(source.word(next)))
  const alias = asName(source.written(isNamed ? next : end, isNamed ? next : end))
  return { table: nameBetween(source, first, end), alias }
}
