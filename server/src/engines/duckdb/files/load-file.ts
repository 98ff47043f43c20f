import { foldedName } from '../../../kernel/same-name.ts'
import { randomUUID } from 'node:crypto'
import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { FileColumn, LoadOrder, Rejection } from '../../engine/files.ts'
import { StatementRefused } from '../errors.ts'
import { csvSource, noting, type Rejects, tableOf } from './csv-source.ts'
import { refuseLying } from './file-head.ts'
import type { LinkedFile } from './linked-file.ts'
import { type RawRecords, rawRecords, sortedRecords } from './record-source.ts'
import { withSheet } from './sheet-source.ts'
import { textRows } from './text-rows.ts'
import { foldedText } from '../folded-text.ts'

export interface Loaded {
  readonly rowsChanged: number
  readonly rejected: readonly Rejection[]
}

/** More rows could not be read than may be left out. Nothing was loaded. */
export class TooManyRejected extends StatementRefused {
  constructor(
    readonly rejected: readonly Rejection[],
    mostRejected: number,
  ) {
    const [first] = rejected
    const where = first?.line == null ? '' : ` The first is line ${first.line}: ${first.reason}`
    const most = mostRejected === 0 ? 'Rows cannot be read' : `More than ${mostRejected} rows cannot be read`
    super({ kind: 'data', message: `${most}, so nothing was loaded.${where}` })
  }
}

type Mapped = FileColumn & { readonly into: string }

const LONGEST_TEXT = 500

const tableText = ({ table }: Pick<LoadOrder, 'table'>): string =>
  [table.catalog, table.database, table.name].map(quotedIdentifier).join('.')

const mappedOf = ({ columns }: LoadOrder): Mapped[] =>
  columns.filter((column): column is Mapped => column.into !== null)

export function createTableText(order: LoadOrder): string {
  const lines = mappedOf(order).map(({ into, type }) => `${quotedIdentifier(into)} ${type}`)
  return `CREATE TABLE ${tableText(order)} (${lines.join(', ')})`
}

/** In the transaction that is open: all rows that can be read, or none. */
export async function loadFile(
  connection: DuckDBConnection,
  { path, tools }: LinkedFile,
  given: LoadOrder,
): Promise<Loaded> {
  await refuseLying(path, given.reading)
  if (given.makesTable) await connection.run(createTableText(given))
  const order = given.makesTable ? given : await asTableHasThem(connection, given)
  const { reading } = order
  const { format } = reading
  if (format === 'csv' || format === 'tsv') return loadCsv(connection, path, order)
  if (format !== 'xlsx') return loadRecords(connection, rawRecords(path, reading), order)
  return withSheet({ path, tools }, reading, ({ records }) => loadRecords(connection, records, order))
}

/** With its place before it: a macro of this name would be called instead. */

/** Read as the types of the table that is there: whatever does not fit them is left out, and told. */
async function asTableHasThem(connection: DuckDBConnection, order: LoadOrder): Promise<LoadOrder> {
  const { catalog, database, name } = order.table
  const found = await textRows(
    connection,
    `SELECT ${foldedText('column_name')}, data_type FROM system.main.duckdb_columns()
     WHERE database_name = ${quotedString(catalog)} AND ${foldedText('schema_name')} = ${quotedString(foldedName(database))}
       AND ${foldedText('table_name')} = ${quotedString(foldedName(name))}`,
  )
  const types = new Map(found.map(([column, type]) => [column, type]))
  const columns = order.columns.map((column) =>
    column.into === null
      ? { ...column, type: 'VARCHAR' }
      : { ...column, type: types.get(foldedName(column.into)) ?? column.type },
  )
  return { ...order, columns }
}

const insertInto = (order: LoadOrder, select: string): string =>
  `INSERT INTO ${tableText(order)} (${mappedOf(order)
    .map(({ into }) => quotedIdentifier(into))
    .join(', ')}) ${select}`

async function loadCsv(connection: DuckDBConnection, path: string, order: LoadOrder): Promise<Loaded> {
  const id = randomUUID().replaceAll('-', '')
  const rejects: Rejects = { errors: `rejects_${id}`, scans: `scans_${id}` }
  const source = csvSource(path, order.reading, {
    columns: order.columns,
    // DuckDB counts what is wrong with a row, which may be each of its columns, and not the rows.
    onBroken: noting(rejects, (order.mostRejected + 1) * (order.columns.length + 1)),
  })
  const picked = mappedOf(order).map(({ name }) => quotedIdentifier(name))
  const { rowsChanged } = await connection.run(
    insertInto(order, `SELECT ${picked.join(', ')} FROM ${source}`),
  )
  const rejected = await rejectsIn(connection, rejects, order.mostRejected + 1)
  for (const table of Object.values(rejects) as string[]) await connection.run(`DROP TABLE ${tableOf(table)}`)
  if (rejected.length > order.mostRejected) throw new TooManyRejected(rejected, order.mostRejected)
  return { rowsChanged, rejected }
}

export async function rejectsIn(
  connection: DuckDBConnection,
  { errors }: Rejects,
  most: number,
): Promise<Rejection[]> {
  const found = await textRows(
    connection,
    `SELECT line::VARCHAR, system.main.min_by(column_name, column_idx),
       system.main.min_by(error_message, column_idx), system.main.left(system.main.any_value(csv_line), ${LONGEST_TEXT}) FROM ${tableOf(errors)} GROUP BY line ORDER BY line LIMIT ${most}`,
  )
  return found.map(([line, column, reason, row]) => ({
    line: Number(line),
    column: column || null,
    reason: reasonIn(reason ?? ''),
    text: row || null,
  }))
}

/** Without what the row itself and the column beside it say. */
function reasonIn(said: string): string {
  const [, value, type] = /Could not convert string "(.*)" to '(.*)'/s.exec(said) ?? []
  if (type) return `${value} is not of the type ${type}.`
  const [, expected, found] = /Expected Number of Columns: (\d+) Found: (\d+)/.exec(said) ?? []
  if (expected) return `Values in the row: ${found}. Columns: ${expected}.`
  if (/unicode|utf-?8/i.test(said)) return 'The row is not in the chosen encoding.'
  return said.split('\n', 1).join('') || 'The row cannot be read.'
}

async function loadRecords(connection: DuckDBConnection, raw: RawRecords, order: LoadOrder): Promise<Loaded> {
  const { accepted, rejected } = sortedRecords(raw, mappedOf(order))
  const found = await textRows(connection, rejected(order.mostRejected + 1))
  const rejections = found.map(([line, column, value, type]): Rejection => ({
    line: Number(line),
    column: column ?? null,
    reason:
      column == null ? 'This is not a JSON object.' : `The value of ${column} is not of the type ${type}.`,
    text: value ?? null,
  }))
  if (rejections.length > order.mostRejected) throw new TooManyRejected(rejections, order.mostRejected)
  const { rowsChanged } = await connection.run(insertInto(order, accepted))
  return { rowsChanged, rejected: rejections }
}
