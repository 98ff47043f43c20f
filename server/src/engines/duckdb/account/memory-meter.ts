import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement } from '@duckdb/node-api'
import { readReport } from '../errors.ts'

const EVERY_MS = 200

/** What stays when statements have ended: tables in memory, what was read of those on disk, what is known of files. */
const WORKING = `SELECT sum(memory_usage_bytes) FILTER (tag NOT IN
  ('BASE_TABLE', 'METADATA', 'ART_INDEX', 'IN_MEMORY_TABLE', 'EXTERNAL_FILE_CACHE', 'OBJECT_CACHE'))::DOUBLE,
  sum(temporary_storage_bytes)::DOUBLE FROM duckdb_memory()`

export interface Measured {
  /** The most that was seen; null when it ended before anyone looked. */
  peakBytes: number | null
  /** The same of what was written to disk for want of memory. */
  peakSpillBytes: number | null
}

export interface InUse {
  readonly bytes: number
  readonly spilled: number
}

export interface MemorySource {
  read(): Promise<InUse>
  close(): void
}

/** Its connection is opened when it is first asked. */
export function workingMemory(instance: Pick<DuckDBInstance, 'connect'>): MemorySource {
  let opened: { connection: DuckDBConnection; prepared: DuckDBPreparedStatement } | null = null
  return {
    async read() {
      if (!opened) {
        const connection = await instance.connect()
        opened = { connection, prepared: await connection.prepare(WORKING) }
      }
      const result = await opened.prepared.run()
      const chunk = result.getChunk(0)
      const figure = (column: number) => Number(chunk.getColumnVector(column).getItem(0) ?? 0)
      return { bytes: figure(0), spilled: figure(1) }
    },
    close: () => opened?.connection.closeSync(),
  }
}

/**
 * Looks again and again at what DuckDB needs for the statements that run, all of them together: it does not count by
 * statement. Costs a statement nothing that ends at once.
 */
export class MemoryMeter {
  private readonly running = new Set<Measured>()
  private timer: NodeJS.Timeout | null = null
  private looking: Promise<void> | null = null

  constructor(
    private readonly source: MemorySource,
    private readonly onTrouble: (message: string) => void,
  ) {}

  begin(): Measured {
    const measured: Measured = { peakBytes: null, peakSpillBytes: null }
    this.running.add(measured)
    this.timer ??= setInterval(() => this.lookOnce(), EVERY_MS).unref()
    return measured
  }

  end(measured: Measured): void {
    this.running.delete(measured)
  }

  async close(): Promise<void> {
    this.stop()
    await this.looking
    this.source.close()
  }

  private stop(): void {
    if (this.timer) clearInterval(this.timer)
    this.timer = null
  }

  private lookOnce(): void {
    if (this.running.size === 0) return this.stop()
    this.looking ??= this.look([...this.running]).finally(() => (this.looking = null))
  }

  private async look(running: readonly Measured[]): Promise<void> {
    try {
      const { bytes, spilled } = await this.source.read()
      for (const measured of running) {
        measured.peakBytes = Math.max(measured.peakBytes ?? 0, bytes)
        measured.peakSpillBytes = Math.max(measured.peakSpillBytes ?? 0, spilled)
      }
    } catch (error) {
      this.stop()
      this.onTrouble(`The memory of statements is not measured: ${readReport(error).message}`)
    }
  }
}
