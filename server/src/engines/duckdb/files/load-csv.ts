import { type DuckDBConnection, quotedIdentifier } from '@duckdb/node-api'
import type { LoadOrder, Rejection } from '../../engine/files.ts'
import { forgetRejects, hasMisfits, rejectsIn } from './csv-rejects.ts'
import { csvSource, leavingOut, newRejects, noting } from './csv-source.ts'
import { guessedType } from './guessed-types.ts'
import { guessedOf, isMisfit, misfitRows, textSource, widerColumns } from './judged-csv.ts'
import {
  createTableText,
  insertInto,
  type Loaded,
  type Mapped,
  mappedOf,
  TooManyRejected,
} from './load-target.ts'
import { tableText } from './target-table.ts'
import { textRows } from './text-rows.ts'

interface Read {
  readonly rowsChanged: number
  /** Rows that DuckDB could not read, one more than may be left out at most. */
  readonly rejected: readonly Rejection[]
  /** A value is not of the type that was found for its column. */
  readonly hasMisfits: boolean
}

/** In the transaction that is open: rows that cannot be read are left out, as long as they are few. */
export async function loadCsv(connection: DuckDBConnection, path: string, order: LoadOrder): Promise<Loaded> {
  if (guessedOf(order).length === 0) {
    const { rowsChanged, rejected } = await readAs(connection, order, (onBroken) =>
      selected(order, csvSource(path, order.reading, { columns: order.columns, onBroken })),
    )
    return within(order, { rowsChanged, rejected, widened: [] })
  }
  const checked = await readAs(connection, order, (onBroken) => checkedRows(path, order, onBroken))
  if (!checked.hasMisfits && !(await isFlagged(connection, order)))
    return within(order, { ...checked, widened: [] })
  // What was read already is not what was written, as 007 is not: it is read once more.
  await connection.run(`DROP TABLE ${tableText(order)}`)
  return order.widens ? loadWidened(connection, path, order) : loadFitting(connection, path, order)
}

function within({ mostRejected }: LoadOrder, { rowsChanged, rejected, widened }: Loaded): Loaded {
  if (rejected.length > mostRejected) throw new TooManyRejected(rejected, mostRejected)
  return { rowsChanged, rejected, widened }
}

async function readAs(
  connection: DuckDBConnection,
  order: LoadOrder,
  rowsOf: (onBroken: readonly string[]) => string,
): Promise<Read> {
  const { columns, mostRejected } = order
  const rejects = newRejects()
  // DuckDB counts what is wrong with a row, which may be each of its columns, and not the rows.
  const onBroken = noting(rejects, (mostRejected + 1) * (columns.length + 1))
  const { rowsChanged } = await connection.run(insertInto(order, rowsOf(onBroken)))
  const rejected = await rejectsIn(connection, rejects, mostRejected + 1)
  const guessed = guessedOf(order).map(({ name }) => name)
  const misfits =
    rejected.length > 0 && guessed.length > 0 && (await hasMisfits(connection, rejects, guessed))
  await forgetRejects(connection, rejects)
  return { rowsChanged, rejected, hasMisfits: misfits }
}

const selected = (order: LoadOrder, source: string): string =>
  `SELECT ${mappedOf(order)
    .map(({ name }) => quotedIdentifier(name))
    .join(', ')} FROM ${source}`

/** Read as texts where the reader would take more than was found. */
const checkedColumns = (order: LoadOrder): Mapped[] =>
  guessedOf(order).filter(({ type }) => guessedType(type, order.reading) !== null)

const converted = ({ name }: Mapped): string => quotedIdentifier(`\u0001${name}`)

/**
 * With a flag in the place of each value that is not what was found. Most values are written as the engine writes them:
 * for these one comparison is enough, which takes a third of the time of looking at how they are written.
 */
function checkedRows(path: string, order: LoadOrder, onBroken: readonly string[]): string {
  const checked = checkedColumns(order)
  const names = new Set(checked.map(({ name }) => name))
  const values = mappedOf(order).map((column) => {
    const text = quotedIdentifier(column.name)
    const flag = names.has(column.name) ? guessedType(column.type, order.reading)?.flag : undefined
    if (flag === undefined) return text
    const value = converted(column)
    return `CASE WHEN ${value}::VARCHAR = ${text} THEN ${value} WHEN ${isMisfit(column, order)} THEN ${flag} ELSE ${value} END`
  })
  const read = {
    ...order,
    columns: order.columns.map((column) => ({ ...column, isGuessed: names.has(column.name) })),
  }
  const conversions = checked.map(
    (column) => `TRY_CAST(${quotedIdentifier(column.name)} AS ${column.type}) AS ${converted(column)}`,
  )
  return `SELECT ${values.join(', ')} FROM (SELECT ${['*', ...conversions].join(', ')} FROM ${textSource(path, read, onBroken)})`
}

async function isFlagged(connection: DuckDBConnection, order: LoadOrder): Promise<boolean> {
  const flags = checkedColumns(order).map(({ into, type }) => {
    const { flag } = guessedType(type, order.reading) ?? {}
    return `coalesce(system.main.bool_or(${quotedIdentifier(into)} = ${flag}), false)`
  })
  if (flags.length === 0) return false
  const [[found] = []] = await textRows(
    connection,
    `SELECT (${flags.join(' OR ')})::VARCHAR FROM ${tableText(order)}`,
  )
  return found === 'true'
}

/** In a table with types that all values have. */
async function loadWidened(connection: DuckDBConnection, path: string, order: LoadOrder): Promise<Loaded> {
  const judging = { path, order, onBroken: leavingOut, unread: [] }
  const widened = await widerColumns(connection, judging)
  const types = new Map(widened.map(({ column, to }) => [column, to]))
  const wider: LoadOrder = {
    ...order,
    columns: order.columns.map((column) => ({
      ...column,
      type: types.get(column.name) ?? column.type,
      // It is known now.
      isGuessed: false,
    })),
  }
  await connection.run(createTableText(wider))
  return { ...(await loadCsv(connection, path, wider)), widened }
}

/** Without the rows that do not fit. */
async function loadFitting(connection: DuckDBConnection, path: string, order: LoadOrder): Promise<Loaded> {
  await connection.run(createTableText(order))
  const guessed = new Map(guessedOf(order).map((column) => [column.name, column]))
  const misfits = [...guessed.values()].map((column) => isMisfit(column, order)).join(' OR ')
  const values = mappedOf(order).map(({ name, type }) => {
    const text = quotedIdentifier(name)
    return guessed.has(name) ? `CAST(${text} AS ${type})` : text
  })
  const { rowsChanged, rejected: unread } = await readAs(
    connection,
    order,
    (onBroken) =>
      `SELECT ${values.join(', ')} FROM ${textSource(path, order, onBroken)} WHERE NOT (${misfits})`,
  )
  const lines = unread.flatMap(({ line }) => (line === null ? [] : [line]))
  const judging = { path, order, onBroken: leavingOut, unread: lines }
  const misfitting = await misfitRows(connection, judging, order.mostRejected + 1)
  const rejected = [...unread, ...misfitting].toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0))
  return within(order, { rowsChanged, rejected: rejected.slice(0, order.mostRejected + 1), widened: [] })
}
