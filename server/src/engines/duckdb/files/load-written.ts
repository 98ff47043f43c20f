import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { LoadOrder, NulledColumn, Rejection, WidenedColumn } from '../../engine/files.ts'
import { forgetRejects, rejectsIn } from './csv-rejects.ts'
import { csvSource, leavingOut, newRejects, noting } from './csv-source.ts'
import { lineOf, reasonOf } from './judged-csv.ts'
import {
  createTableText,
  insertInto,
  isNulled,
  type Loaded,
  type Mapped,
  mappedOf,
  TooManyRejected,
} from './load-target.ts'
import { tableText } from './target-table.ts'
import { textRows } from './text-rows.ts'
import { valueOf, writtenIn } from './written-values.ts'

const TEXT = 'VARCHAR'
const ROW = quotedIdentifier('\u0001row')
const LONGEST_TEXT = 500

/** Whether values are read as somebody says: in a way of their own, or as NULL where they do not fit. */
export const isReadAsWritten = (order: LoadOrder): boolean =>
  Boolean(order.reading.written) || mappedOf(order).some(isNulled)

const valueIn = (column: Pick<Mapped, 'name' | 'type' | 'isGuessed'>, { reading }: LoadOrder): string => {
  const text = quotedIdentifier(column.name)
  if (column.type === TEXT) return text
  return valueOf(text, column.type, { written: writtenIn(reading), isDetected: column.isGuessed === true })
}

const isMisfit = (column: Mapped, order: LoadOrder): string =>
  column.type === TEXT
    ? 'false'
    : `(${quotedIdentifier(column.name)} IS NOT NULL AND (${valueIn(column, order)}) IS NULL)`

/** The file with all columns as texts, as they are written. */
const textsIn = (path: string, { reading, columns }: LoadOrder, onBroken: readonly string[]): string =>
  csvSource(path, reading, { columns: columns.map(({ name }) => ({ name, type: TEXT })), onBroken })

const numbered = (path: string, order: LoadOrder): string =>
  `(SELECT *, system.main.row_number() OVER () AS ${ROW} FROM ${textsIn(path, order, leavingOut)})`

interface Misfitting {
  readonly column: Mapped
  readonly count: number
  readonly row: number
  readonly value: string | null
  /** Of whole numbers: all of them are numbers with a point. */
  readonly isDouble: boolean
}

/**
 * In the transaction that is open: texts become values as somebody says that they are written. Whatever does not fit is
 * known before the first row is inserted, so that a table is made with the types that it has in the end.
 */
export async function loadWritten(
  connection: DuckDBConnection,
  path: string,
  order: LoadOrder,
): Promise<Loaded> {
  const misfitting = await misfitsOf(connection, path, order)
  const widened = order.widens ? misfitting.filter(({ column }) => isWidened(column)) : []
  const types = new Map(widened.map((one) => [one.column.name, one.isDouble ? 'DOUBLE' : TEXT]))
  const final: LoadOrder = {
    ...order,
    columns: order.columns.map((column) => ({ ...column, type: types.get(column.name) ?? column.type })),
  }
  if (widened.length > 0) {
    await connection.run(`DROP TABLE ${tableText(order)}`)
    await connection.run(createTableText(final))
  }
  const { rowsChanged, unread } = await insertFitting(connection, path, final)
  const lines = unread.flatMap(({ line }) => (line === null ? [] : [line]))
  const where = { reading: order.reading, unread: lines }
  const misfits = await rejectedRows(connection, path, { order: final, where })
  const rejected = [...unread, ...misfits]
    .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
    .slice(0, order.mostRejected + 1)
  if (rejected.length > order.mostRejected) throw new TooManyRejected(rejected, order.mostRejected)
  const first = ({ column, row, value }: Misfitting) => ({
    column: column.name,
    line: lineOf(row, where),
    reason: reasonOf(value, column.type),
  })
  return {
    rowsChanged,
    rejected,
    widened: widened.map((one): WidenedColumn => ({
      ...first(one),
      from: one.column.type,
      to: types.get(one.column.name) ?? TEXT,
    })),
    nulled: misfitting
      .filter(({ column }) => isNulled(column))
      .map((one): NulledColumn => ({ ...first(one), values: one.count })),
  }
}

/** A type that somebody has chosen is what it is. */
const isWidened = (column: Mapped): boolean => column.isGuessed === true && !isNulled(column)

/** The columns in which not every value fits. */
async function misfitsOf(
  connection: DuckDBConnection,
  path: string,
  order: LoadOrder,
): Promise<Misfitting[]> {
  const columns = mappedOf(order).filter(({ type }) => type !== TEXT)
  if (columns.length === 0) return []
  const facts = columns.flatMap((column) => {
    const misfit = isMisfit(column, order)
    const text = quotedIdentifier(column.name)
    const asDouble = isMisfit({ ...column, type: 'DOUBLE' }, order)
    return [
      `system.main.count_if(${misfit})::VARCHAR`,
      `system.main.min(CASE WHEN ${misfit} THEN ${ROW} END)::VARCHAR`,
      `system.main.left(system.main.arg_min(${text}, ${ROW}) FILTER (${misfit}), ${LONGEST_TEXT})`,
      column.type === 'BIGINT' && isWidened(column)
        ? `(NOT coalesce(system.main.bool_or(${asDouble}), false))::VARCHAR`
        : `'false'`,
    ]
  })
  const [row = []] = await textRows(connection, `SELECT ${facts.join(', ')} FROM ${numbered(path, order)}`)
  return columns.flatMap((column, at): Misfitting[] => {
    const [count, first, value, isDouble] = row.slice(at * 4, at * 4 + 4)
    if (!Number(count)) return []
    return [
      {
        column,
        count: Number(count),
        row: Number(first),
        value: value ?? null,
        isDouble: isDouble === 'true',
      },
    ]
  })
}

/** Those of which a value that does not fit keeps its row from being loaded. */
const rejecting = (order: LoadOrder): Mapped[] =>
  mappedOf(order).filter((column) => column.type !== TEXT && !isNulled(column))

async function insertFitting(connection: DuckDBConnection, path: string, order: LoadOrder) {
  const rejects = newRejects()
  const onBroken = noting(rejects, (order.mostRejected + 1) * (order.columns.length + 1))
  const values = mappedOf(order).map((column) => valueIn(column, order))
  const misfits = rejecting(order).map((column) => isMisfit(column, order))
  const { rowsChanged } = await connection.run(
    insertInto(
      order,
      `SELECT ${values.join(', ')} FROM ${textsIn(path, order, onBroken)} WHERE NOT (${misfits.join(' OR ') || 'false'})`,
    ),
  )
  const unread = await rejectsIn(connection, rejects, order.mostRejected + 1)
  await forgetRejects(connection, rejects)
  return { rowsChanged, unread }
}

/** The first rows with a value that does not fit. */
async function rejectedRows(
  connection: DuckDBConnection,
  path: string,
  { order, where }: { order: LoadOrder; where: Parameters<typeof lineOf>[1] },
): Promise<Rejection[]> {
  const columns = rejecting(order)
  if (columns.length === 0) return []
  const misfits = columns.map((column) => isMisfit(column, order))
  const pick = (of: (column: Mapped) => string): string =>
    `CASE ${columns.map((column, at) => `WHEN ${misfits[at]} THEN ${of(column)}`).join(' ')} END`
  const found = await textRows(
    connection,
    `SELECT ${ROW}::VARCHAR, ${pick(({ name }) => quotedString(name))},
       ${pick(({ name }) => `system.main.left(${quotedIdentifier(name)}, ${LONGEST_TEXT})`)},
       ${pick(({ type }) => quotedString(type))}
     FROM ${numbered(path, order)} WHERE ${misfits.join(' OR ')} ORDER BY ${ROW} LIMIT ${order.mostRejected + 1}`,
  )
  return found.map(([row, column, value, type]) => ({
    line: lineOf(Number(row), where),
    column: column ?? null,
    reason: reasonOf(value, type ?? ''),
    text: value ?? null,
  }))
}
