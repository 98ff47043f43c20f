import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import type { Arrangement } from '../../../results/reader.ts'
import { StatementRefused } from '../errors.ts'
import { type ArrangedColumn, arranging } from './arranging.ts'
import { restoredTypes } from './restored-types.ts'
import type { FileRows } from './window-rows.ts'

/** Users who would wait longer are better served by an ORDER BY or a WHERE. */
const LONGEST_MS = 20_000

const tooLong = () =>
  new StatementRefused({
    kind: 'resource',
    message: `Sorting and filtering all rows of this result takes longer than ${LONGEST_MS / 1000} s. Use ORDER BY or WHERE in the statement instead.`,
  })

/** The rows of a kept result that are wanted, by their places in it and in the order that is wanted. */
export async function arrangedPlaces(
  connection: DuckDBConnection,
  { file: source, facts }: FileRows,
  arrangement: Arrangement,
): Promise<Uint32Array> {
  await connection.run(`SET TimeZone = ${quotedString(facts.timeZone)}`)
  const types = await restoredTypes(connection, { facts, source })
  const columns = facts.columns.flatMap((column, at): ArrangedColumn[] => {
    const type = types[at]
    return type ? [{ column, type }] : []
  })
  let isOutOfTime = false
  const timer = setTimeout(() => {
    isOutOfTime = true
    connection.interrupt()
  }, LONGEST_MS)
  try {
    const rows = `read_parquet(${quotedString(source)}, file_row_number = true)`
    const found = await connection.run(
      `SELECT CAST(file_row_number AS UINTEGER) FROM ${rows} ${arranging(arrangement, columns)}`,
    )
    const places = new Uint32Array(found.rowCount)
    for (let chunk = 0, at = 0; chunk < found.chunkCount; chunk++) {
      const numbers = found.getChunk(chunk).getColumnValues(0)
      for (const number of numbers) places[at++] = Number(number)
    }
    return places
  } catch (error) {
    throw isOutOfTime ? tooLong() : error
  } finally {
    clearTimeout(timer)
  }
}
