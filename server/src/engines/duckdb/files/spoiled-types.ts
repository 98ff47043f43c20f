import { type DuckDBConnection, quotedIdentifier } from '@duckdb/node-api'
import type { FileColumn, FileReading, SpoiledType } from '../../engine/files.ts'
import { forgetRejects, misfitsIn } from './csv-rejects.ts'
import { csvSource, leavingOut, newRejects, noting, tableOf } from './csv-source.ts'
import { textRows } from './text-rows.ts'

type Column = Pick<FileColumn, 'name' | 'type'>

const TEXT = 'VARCHAR'
/** In the order in which they are tried. A cast to a number rounds, and one to a day leaves the time out. */
const FITS: readonly (readonly [type: string, fits: (value: string) => string])[] = [
  ['BIGINT', (value) => `system.main.regexp_full_match(system.main.trim(${value}), '[+-]?\\d{1,18}')`],
  ['DOUBLE', (value) => `TRY_CAST(${value} AS DOUBLE) IS NOT NULL`],
  [
    'DATE',
    (value) =>
      `system.main.regexp_full_match(system.main.trim(${value}), '\\d{4}-\\d{1,2}-\\d{1,2}') AND TRY_CAST(${value} AS DATE) IS NOT NULL`,
  ],
  ['TIMESTAMP', (value) => `TRY_CAST(${value} AS TIMESTAMP) IS NOT NULL`],
  ['BOOLEAN', (value) => `TRY_CAST(${value} AS BOOLEAN) IS NOT NULL`],
]
const MOST_COLUMNS = 200
/** Of a hundred values, so many may be mistakes; with more the column is a text. */
const MOST_MISFITS = 0.1
const MOST_NOTED = 10_000
const ROWS_NAMED = 3

/** Columns that are texts because of a few values only, and where these are. */
export async function spoiledTypes(
  connection: DuckDBConnection,
  path: string,
  { reading, columns }: { readonly reading: FileReading; readonly columns: readonly Column[] },
): Promise<SpoiledType[]> {
  const texts = columns.filter(({ type }) => type === TEXT).slice(0, MOST_COLUMNS)
  if (texts.length === 0) return []
  const nearly = await nearlyTyped(connection, path, { reading, columns, texts })
  if (nearly.size === 0) return []
  const rejects = newRejects()
  const source = csvSource(path, reading, {
    columns: columns.map(({ name, type }) => ({ name, type: nearly.get(name)?.type ?? type })),
    onBroken: noting(rejects, MOST_NOTED),
  })
  const names = [...nearly.keys()].map((name) => `system.main.count(${quotedIdentifier(name)})`)
  await connection.run(`SELECT ${names.join(', ')} FROM ${source}`)
  const named = await misfitsIn(connection, rejects, ROWS_NAMED)
  const counts = await textRows(
    connection,
    `SELECT column_name, count(*)::VARCHAR FROM ${tableOf(rejects.errors)} WHERE error_type = 'CAST' GROUP BY ALL`,
  )
  await forgetRejects(connection, rejects)
  const misfits = new Map(counts.map(([column, count]) => [column, Number(count)]))
  return [...nearly].flatMap(([column, { type, values }]) => {
    const rows = named
      .filter((one) => one.column === column)
      .map(({ line, reason, text }) => ({ line, column, reason, text }))
    return rows.length === 0 ? [] : [{ column, type, values, misfits: misfits.get(column) ?? 0, rows }]
  })
}

interface Nearly {
  readonly type: string
  readonly values: number
}

/** The type that all but a few values of a text have. */
async function nearlyTyped(
  connection: DuckDBConnection,
  path: string,
  { reading, columns, texts }: { reading: FileReading; columns: readonly Column[]; texts: readonly Column[] },
): Promise<Map<string, Nearly>> {
  const source = csvSource(path, reading, {
    columns: columns.map(({ name }) => ({ name, type: TEXT })),
    onBroken: leavingOut,
  })
  const counted = texts.flatMap(({ name }) => {
    const value = quotedIdentifier(name)
    const fitting = FITS.map(([, fits]) => `system.main.count_if(${fits(value)})::VARCHAR`)
    return [`system.main.count(${value})::VARCHAR`, ...fitting]
  })
  const [row = []] = await textRows(connection, `SELECT ${counted.join(', ')} FROM ${source}`)
  const width = FITS.length + 1
  return new Map(
    texts.flatMap(({ name }, at): [string, Nearly][] => {
      const [values = 0, ...fitting] = row.slice(at * width, (at + 1) * width).map(Number)
      const index = fitting.findIndex((count) => count < values && values - count <= values * MOST_MISFITS)
      const [type] = FITS[index] ?? []
      return type === undefined ? [] : [[name, { type, values }]]
    }),
  )
}
