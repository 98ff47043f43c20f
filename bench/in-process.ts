import { DuckDBInstance, type DuckDBConnection, type DuckDBValue } from '@duckdb/node-api'
import { callAs, type Login } from '@boathouse/client'
import { LIMITS, warehouse } from '@boathouse/contract'
import type { SqlRunner } from './sql-runner.ts'

export interface EngineSettings {
  readonly threads: string
  readonly memory_limit: string
}

const asText = (value: DuckDBValue): string | null => (value === null ? null : String(value))

/** As many rows as the product shows, as text like there, so that both sides do the same work. */
export async function rowsOf(connection: DuckDBConnection, sql: string) {
  const reader = await connection.runAndReadUntil(sql, LIMITS.selectRows)
  return reader
    .getRows()
    .slice(0, LIMITS.selectRows)
    .map((row) => row.map(asText))
}

export interface InProcess extends SqlRunner {
  /** Stops what runs. */
  interrupt(): void
}

/** DuckDB inside this process on a file of its own: nothing between the question and the engine. */
export async function openInProcess(path: string, settings: EngineSettings): Promise<InProcess> {
  const instance = await DuckDBInstance.create(path, { ...settings })
  const connection = await instance.connect()
  return {
    run: (sql) => rowsOf(connection, sql),
    interrupt: () => connection.interrupt(),
    async close() {
      connection.closeSync()
      instance.closeSync()
    },
  }
}

/** What the product gives the warehouse in which everything runs. */
export async function settingsOf(login: Login): Promise<EngineSettings> {
  const { warehouses } = await callAs(login, warehouse.list, {})
  const [first] = warehouses
  if (!first) throw new Error('The account has no warehouse.')
  const { offer } = await callAs(login, warehouse.describe, { warehouseId: first.warehouseId })
  return { threads: String(offer.threads), memory_limit: `${Math.floor(offer.memoryBytes / 1024 ** 2)}MiB` }
}
