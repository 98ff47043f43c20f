import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { FileReading, LoadOrder, Rejection, WidenedColumn } from '../../engine/files.ts'
import { csvSource } from './csv-source.ts'
import { fitsType, widerType } from './guessed-types.ts'
import { type Mapped, mappedOf } from './load-target.ts'
import { textRows } from './text-rows.ts'

const TEXT = 'VARCHAR'
const ROW = quotedIdentifier('\u0001row')
const LONGEST_TEXT = 500

export const guessedOf = (order: LoadOrder): Mapped[] =>
  mappedOf(order).filter(({ isGuessed, type }) => isGuessed === true && type !== TEXT)

/** The file with its guessed columns as texts, as they are written. */
export function textSource(path: string, order: LoadOrder, onBroken: readonly string[]): string {
  const guessed = new Set(guessedOf(order).map(({ name }) => name))
  const columns = order.columns.map(({ name, type }) => ({ name, type: guessed.has(name) ? TEXT : type }))
  return csvSource(path, order.reading, { columns, onBroken })
}

export const isMisfit = ({ name, type }: Mapped, { reading }: LoadOrder): string => {
  const text = quotedIdentifier(name)
  return `(${text} IS NOT NULL AND NOT (${fitsType(text, type, reading)}))`
}

/** With the number of each row that can be read. */
const numbered = (path: string, order: LoadOrder, onBroken: readonly string[]): string => {
  const names = guessedOf(order).map(({ name }) => quotedIdentifier(name))
  return `(SELECT ${names.join(', ')}, system.main.row_number() OVER () AS ${ROW} FROM ${textSource(path, order, onBroken)})`
}

export interface Judging {
  readonly path: string
  readonly order: LoadOrder
  readonly onBroken: readonly string[]
  /** The lines of rows that cannot be read at all, in their order: they have no number. */
  readonly unread: readonly number[]
}

/** Where a row begins if no value before it has a line break. */
export function lineOf(
  row: number,
  { reading, unread }: Pick<Judging, 'unread'> & { readonly reading: FileReading },
): number {
  let line = row + (reading.skip ?? 0) + (reading.header ? 1 : 0)
  for (const before of unread) if (before <= line) line++
  return line
}

export const reasonOf = (value: string | null | undefined, type: string): string =>
  `${value ?? ''} is not of the type ${type}.`

/** What the columns become in which not every value fits, by all their values. */
export async function widerColumns(connection: DuckDBConnection, judging: Judging): Promise<WidenedColumn[]> {
  const { path, order, onBroken } = judging
  const guessed = guessedOf(order)
  const facts = guessed.flatMap((column) => {
    const misfit = isMisfit(column, order)
    const text = quotedIdentifier(column.name)
    const wider = widerType(column.type, order.reading)
    return [
      `system.main.min(CASE WHEN ${misfit} THEN ${ROW} END)::VARCHAR`,
      `system.main.left(system.main.arg_min(${text}, ${ROW}) FILTER (${misfit}), ${LONGEST_TEXT})`,
      wider ? `coalesce(system.main.bool_and(${wider.fits(text)}), true)::VARCHAR` : `'false'`,
    ]
  })
  const [row = []] = await textRows(
    connection,
    `SELECT ${facts.join(', ')} FROM ${numbered(path, order, onBroken)}`,
  )
  return guessed.flatMap(({ name, type }, at): WidenedColumn[] => {
    const [first, value, isWider] = row.slice(at * 3, at * 3 + 3)
    if (first == null) return []
    const to = (isWider === 'true' && widerType(type, order.reading)?.type) || TEXT
    const line = lineOf(Number(first), { ...order, unread: judging.unread })
    return [{ column: name, from: type, to, line, reason: reasonOf(value, type) }]
  })
}

/** The first rows with a value that does not fit. */
export async function misfitRows(
  connection: DuckDBConnection,
  judging: Judging,
  most: number,
): Promise<Rejection[]> {
  const { path, order, onBroken } = judging
  const guessed = guessedOf(order)
  const misfits = guessed.map((column) => isMisfit(column, order))
  const pick = (of: (column: Mapped) => string): string =>
    `CASE ${guessed.map((column, at) => `WHEN ${misfits[at]} THEN ${of(column)}`).join(' ')} END`
  const found = await textRows(
    connection,
    `SELECT ${ROW}::VARCHAR, ${pick(({ name }) => quotedString(name))},
       ${pick(({ name }) => `system.main.left(${quotedIdentifier(name)}, ${LONGEST_TEXT})`)},
       ${pick(({ type }) => quotedString(type))}
     FROM ${numbered(path, order, onBroken)} WHERE ${misfits.join(' OR ')} ORDER BY ${ROW} LIMIT ${most}`,
  )
  return found.map(([row, column, value, type]) => ({
    line: lineOf(Number(row), { ...order, unread: judging.unread }),
    column: column ?? null,
    reason: reasonOf(value, type ?? ''),
    text: value ?? null,
  }))
}
