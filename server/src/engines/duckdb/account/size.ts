import { setTimeout as pause } from 'node:timers/promises'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { EngineSize } from '../../engine/provider.ts'
import { readReport } from '../errors.ts'
import type { ResultWriter } from '../result-writer/result-writer.ts'

const TRY_AGAIN_MS = 100
/** How long running statements have to give back memory that the new size does not allow them. */
const MOST_TRIES = 600

export interface SizedParts {
  readonly instance: DuckDBInstance
  readonly resultWriter: Pick<ResultWriter, 'setThreads'>
}

/** The threads and the memory of an account's DuckDB, changed one time after the other. */
export class DuckDbSize {
  private last: Promise<void> = Promise.resolve()
  private changes = 0

  constructor(
    private readonly parts: SizedParts,
    private memoryBytes: number,
  ) {}

  /** Fewer threads are had only when busy ones have come to an end. */
  change({ threads, memoryBytes }: EngineSize): Promise<void> {
    return this.underLock(async (connection) => {
      await setMemory(connection, memoryBytes)
      this.memoryBytes = memoryBytes
      await connection.run(`SET GLOBAL threads = ${threads}`)
      await this.parts.resultWriter.setThreads(threads)
    })
  }

  /**
   * Hands freed memory to the system. DuckDB's allocator keeps it for the threads that had it, gigabytes if need be, and
   * lets go of it whenever the limit of memory is set, even to what it was.
   */
  async giveBack(): Promise<void> {
    // A change does it too, and may take long.
    if (this.changes > 0) return
    await this.underLock((connection) => setMemory(connection, this.memoryBytes))
  }

  private underLock(change: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
    this.changes++
    const next = this.last.then(() => this.withConnection(change)).finally(() => void this.changes--)
    this.last = next.catch(() => undefined)
    return next
  }

  /** One of its own: it may take long. */
  private async withConnection(change: (connection: DuckDBConnection) => Promise<void>): Promise<void> {
    const connection = await this.parts.instance.connect()
    try {
      await change(connection)
    } finally {
      connection.closeSync()
    }
  }
}

async function setMemory(connection: DuckDBConnection, bytes: number): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await connection.run(`SET GLOBAL memory_limit = '${bytes}B'`)
      return
    } catch (error) {
      if (readReport(error).type !== 'Out of Memory' || tries === MOST_TRIES) throw error
      await pause(TRY_AGAIN_MS)
    }
  }
}
