import { setTimeout as pause } from 'node:timers/promises'
import type { DuckDBInstance } from '@duckdb/node-api'
import type { EngineSize } from '../engine.ts'
import { readReport } from './errors.ts'

const TRY_AGAIN_MS = 100
/** How long running statements have to give back memory that the new size does not allow them. */
const MOST_TRIES = 600

/** Changes one thing after the other; fewer threads are had only when busy ones have come to an end. */
export async function setSize(instance: DuckDBInstance, { threads, memoryBytes }: EngineSize): Promise<void> {
  // A connection of its own: it may take long.
  const connection = await instance.connect()
  try {
    for (let tries = 1; ; tries++) {
      try {
        await connection.run(`SET GLOBAL memory_limit = '${memoryBytes}B'`)
        break
      } catch (error) {
        if (readReport(error).type !== 'Out of Memory' || tries === MOST_TRIES) throw error
        await pause(TRY_AGAIN_MS)
      }
    }
    await connection.run(`SET GLOBAL threads = ${threads}`)
  } finally {
    connection.closeSync()
  }
}
