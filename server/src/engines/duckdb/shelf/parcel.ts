import {
  type DuckDBAppender,
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBType,
  quotedString,
} from '@duckdb/node-api'
import { tableType } from '../column-types.ts'
import { type ResultFacts, fileOptions } from './result-file.ts'
import { storedValue } from './stored-columns.ts'

// Chunks of 2048 rows. Emptying the appender keeps the process from everything else for a few milliseconds.
const CHUNKS_AT_ONCE = 8

/**
 * The rows of a result on their way to a file: a temporary table in a transaction that is never committed. Its first
 * column is the number of rows, in a row of its own.
 */
export class Parcel {
  private chunks = 0

  private constructor(
    private readonly connection: DuckDBConnection,
    private readonly appender: DuckDBAppender,
    private readonly types: readonly DuckDBType[],
  ) {}

  /** Takes the connection over: it is closed with the parcel. */
  static async open(connection: DuckDBConnection, types: readonly DuckDBType[]): Promise<Parcel> {
    try {
      const columns = types.map((type, at) => `c${at + 1} ${tableType(type)}`)
      await connection.run(`BEGIN; CREATE TEMP TABLE parcel (c0 BIGINT, ${columns.join(', ')})`)
      return new Parcel(connection, await connection.createAppender('parcel', 'main', 'temp'), types)
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
    const columns = facts.columns.map((column, at) => storedValue(column, this.types[at], `c${at + 1}`))
    const rows = `SELECT ${columns.join(', ')} FROM parcel WHERE c0 IS NULL LIMIT ${facts.rows}`
    await this.connection.run(`COPY (${rows}) TO ${quotedString(file)} (${fileOptions(facts)})`)
  }

  close(): void {
    this.connection.closeSync()
  }
}
