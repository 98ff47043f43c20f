import {
  type DuckDBAppender,
  type DuckDBConnection,
  type DuckDBDataChunk,
  quotedString,
} from '@duckdb/node-api'
import type { ResultFacts } from '../../../results/form.ts'
import { tableType } from '../rows/column-types.ts'
import type { KeepOrder } from './write-job.ts'
import { fileOptions } from './result-file.ts'
import { storedValue } from './stored-columns.ts'

// Chunks of 2048 rows. Emptying the appender keeps the process from everything else for a few milliseconds.
const CHUNKS_AT_ONCE = 8

export type RowBufferKind = Pick<KeepOrder, 'types' | 'isCounted'>

/** The rows of a result on their way to a file: a temporary table in a transaction that is never committed. */
export class RowBuffer {
  private chunks = 0

  private constructor(
    private readonly connection: DuckDBConnection,
    private readonly appender: DuckDBAppender,
    private readonly kind: RowBufferKind,
  ) {}

  /** Takes the connection over: it is closed with the row buffer. */
  static async open(connection: DuckDBConnection, kind: RowBufferKind): Promise<RowBuffer> {
    try {
      const columns = kind.types.map((type, at) => `c${at} ${tableType(type)}`)
      if (kind.isCounted) columns.unshift('number BIGINT')
      await connection.run(`BEGIN; CREATE TEMP TABLE row_buffer (${columns.join(', ')})`)
      return new RowBuffer(connection, await connection.createAppender('row_buffer', 'main', 'temp'), kind)
    } catch (error) {
      connection.closeSync()
      throw error
    }
  }

  add(chunk: DuckDBDataChunk): void {
    this.appender.appendDataChunk(chunk)
    if (++this.chunks % CHUNKS_AT_ONCE === 0) this.appender.flushSync()
  }

  async write(file: string, facts: ResultFacts): Promise<void> {
    this.appender.flushSync()
    await this.connection.run(`SET TimeZone = ${quotedString(facts.timeZone)}`)
    const { types, isCounted } = this.kind
    const columns = facts.columns.map((column, at) => storedValue(column, types[at], `c${at}`))
    const wanted = `${isCounted ? 'WHERE number IS NULL' : ''} LIMIT ${facts.rows}`
    const rows = `SELECT ${columns.join(', ')} FROM row_buffer ${wanted}`
    await this.connection.run(`COPY (${rows}) TO ${quotedString(file)} (${fileOptions(facts)})`)
  }

  close(): void {
    this.connection.closeSync()
  }
}
