import type {
  DuckDBConnection,
  DuckDBDataChunk,
  DuckDBMaterializedResult,
  DuckDBResult,
} from '@duckdb/node-api'
import { StatementRefused } from '../errors.ts'

/** Rows of a statement that has been started, chunk by chunk. */
export interface RowSource {
  readonly total: number
  next(): Promise<DuckDBDataChunk | null>
  /** To be called in any case: until then the statement holds its rows, its memory and a transaction. */
  end(): Promise<void>
}

export function materialisedRows(result: DuckDBMaterializedResult, isCounted: boolean): RowSource {
  let at = 0
  return {
    total: result.rowCount - (isCounted ? 1 : 0),
    async next() {
      // Other sessions of this process are served between two chunks.
      if (at > 0) await new Promise((resolve) => setImmediate(resolve))
      return at < result.chunkCount ? result.getChunk(at++) : null
    },
    end: () => Promise.resolve(),
  }
}

/** Of a counted statement only: nothing else shows that a stream ended too early. */
export async function streamedRows(stream: DuckDBResult, connection: DuckDBConnection): Promise<RowSource> {
  const first = await stream.fetchChunk()
  if (!first || first.rowCount === 0) throw new RowsMissing()
  let isFirst = true
  return {
    total: Number(first.getColumnVector(0).getItem(0)),
    next() {
      if (!isFirst) return stream.fetchChunk()
      isFirst = false
      return Promise.resolve(first)
    },
    end: () => endStream(stream, connection),
  }
}

/** Until then the statement holds its rows, its memory and a transaction. */
export async function endStream(stream: DuckDBResult, connection: DuckDBConnection): Promise<void> {
  const rest = await stream.fetchChunk()
  if (!rest || rest.rowCount === 0) return
  // Anything else ends it too. Interrupted, it has ended as well.
  await connection.run('SELECT 1').catch(() => undefined)
}

/** The rows ended before all had come, and DuckDB does not say why: it was interrupted, or lost what it held. */
export class RowsMissing extends StatementRefused {
  constructor() {
    const message =
      'The rows of the result could not be read to the end. Memory or disk may be short. Run the statement again.'
    super({ kind: 'resource', message })
  }
}
