import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import type { ResultFacts } from '../../../results/form.ts'
import type { Cell } from '../../engine/rows.ts'
import { cellTexts, readingValues } from '../rows/result-rows.ts'
import { RowsMissing } from '../rows/row-source.ts'
import { restored } from '../result-writer/stored-columns.ts'
import { ZoneOffsets } from '../rows/zone-offsets.ts'

interface FileRowsOrder {
  readonly source: string
  readonly facts: ResultFacts
  /** One that can be asked something while rows flow. */
  readonly other: DuckDBConnection
}

/**
 * All rows of a kept result in their order, a few thousand of them in memory at a time. Each comes with its number, so
 * that a stream which ends early or mixes them up is noticed.
 */
export async function* fileRows(
  connection: DuckDBConnection,
  { source, facts, other }: FileRowsOrder,
): AsyncGenerator<Cell[]> {
  const columns = ['file_row_number', ...facts.columns.map(restored)].join(', ')
  const stream = await connection.stream(
    `SELECT ${columns} FROM read_parquet(${quotedString(source)}, file_row_number = true)`,
  )
  const types = stream.columnTypes().slice(1)
  for (let next = 0; next < facts.rows;) {
    const chunk = await stream.fetchChunk()
    if (!chunk || chunk.rowCount === 0) throw new RowsMissing()
    const numbers = chunk.getColumnVector(0)
    // A zone for each chunk: it remembers every instant that it was asked for.
    const reading = readingValues(types, new ZoneOffsets(facts.timeZone, other))
    const cells = await cellTexts(chunk, reading, { from: 0, end: chunk.rowCount, skippedColumns: 1 })
    for (let row = 0; row < chunk.rowCount; row++) {
      if (Number(numbers.getItem(row)) !== next++) throw new RowsMissing()
      yield cells.map((textAt) => textAt(row))
    }
  }
}
