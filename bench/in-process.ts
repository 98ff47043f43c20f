import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api'
import { LIMITS } from '@boathouse/contract'
import type { SqlRunner } from './sql-runner.ts'

export interface EngineSettings {
  readonly threads: string
  readonly memory_limit: string
}

const asText = (value: DuckDBValue): string | null => (value === null ? null : String(value))

/** DuckDB inside this process on a file of its own: nothing between the question and the engine. */
export async function openInProcess(path: string, settings: EngineSettings): Promise<SqlRunner> {
  const instance = await DuckDBInstance.create(path, { ...settings })
  const connection = await instance.connect()
  return {
    /** As many rows as the product shows, as text like there, so that both sides do the same work. */
    async run(sql) {
      const reader = await connection.runAndReadUntil(sql, LIMITS.selectRows)
      return reader
        .getRows()
        .slice(0, LIMITS.selectRows)
        .map((row) => row.map(asText))
    },
    async close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** The settings the product's engine runs with, as it says itself. */
export async function settingsOf(product: SqlRunner): Promise<EngineSettings> {
  const [row] = await product.run(`SELECT current_setting('threads'), current_setting('memory_limit')`)
  const [threads, memory] = row ?? []
  if (!threads || !memory) throw new Error('The engine does not tell its threads and memory limit.')
  return { threads, memory_limit: memory }
}
