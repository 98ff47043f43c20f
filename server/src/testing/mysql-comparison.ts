import type { Said } from './mysql-clients.ts'
import { canonical } from './mysql-scenario.ts'

type Cell = readonly [type: string, text: string] | null

/**
 * What MariaDB says and MySQL 8 no longer does, as `int(11)`; `tinyint(1)` is how both say boolean. Boathouse keeps no
 * lengths of texts, and has one type for bytes.
 */
const WIDTH = /\b(bigint|int|smallint|tinyint|varchar)\((?!1\))\d+\)/g
const BYTES = /\blongblob\b/gi

const sameValue = (cell: Cell, at: number): Cell => cell && [cell[0], canonical(cell[1], at)]

const hasRowsOfEverything = (step: string): boolean =>
  ['text-values', 'binary-values', 'parameters'].includes(step)

/** Whether a column of a result may be NULL is known of tables alone, so it is always said to be possible. */
const withoutFlag = (column: readonly unknown[]): readonly unknown[] =>
  column.filter((part) => typeof part !== 'boolean')

/** The same for two servers that do the same: neither has the other's databases. */
export function comparable(step: string, said: Said | undefined): Said | undefined {
  if (!said || 'failed' in said) return said
  if (hasRowsOfEverything(step)) {
    const rows = said.rows as readonly (readonly Cell[])[]
    return { ...said, rows: rows.map((row) => row.map(sameValue)) }
  }
  if (step !== 'metadata') return said
  const databases = (said.databases as readonly string[]).filter((name) => name === 'clients')
  const text = JSON.stringify({ ...said, databases }).replaceAll(WIDTH, '$1')
  const known = JSON.parse(text.replaceAll(BYTES, (word) => word.slice(4))) as Said
  return { ...known, columns: (known.columns as readonly unknown[][]).map(withoutFlag) }
}

const textOf = (cell: Cell): string | null => cell && cell[1]

/** As the contract has it, which leaves out what only a driver says: its own types, or only the number of an error. */
export function asContract(step: string, said: Said | undefined, expected: Said): Said | undefined {
  const known = comparable(step, said)
  if (!known || 'failed' in known) return known
  if (hasRowsOfEverything(step))
    return { ...known, rows: (known.rows as readonly (readonly Cell[])[]).map((row) => row.map(textOf)) }
  if (step === 'metadata') {
    const { databases, tables, columns, keys } = known as {
      readonly columns: readonly (readonly string[])[]
    } & Said
    return { databases, tables, columns: columns.map(([name]) => name), keys }
  }
  if (step === 'errors') {
    const all = known.errors as readonly Said[]
    const right = expected.errors as readonly Said[]
    return { ...known, errors: all.map((error, at) => withUnsaid(error, right[at])) }
  }
  return 'error' in known
    ? { ...known, error: withUnsaid(known.error as Said, expected.error as Said) }
    : known
}

/** Some drivers have no number, others no SQLSTATE. What they have must be right. */
const withUnsaid = (error: Said | null, expected: Said | undefined): Said | null =>
  error && { ...expected, ...error }
