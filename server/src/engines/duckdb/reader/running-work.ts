import { type DuckDBConnection, type DuckDBMaterializedResult, quotedString } from '@duckdb/node-api'
import type { Cell } from '../../engine/rows.ts'
import { StatementRefused } from '../errors.ts'
import { readResult } from '../rows/result-rows.ts'
import type { WriterDatabase } from '../result-writer/writer-database.ts'
import type { ArrangedColumn } from './arranging.ts'
import { restoredTypes } from './restored-types.ts'
import type { FileRows } from './window-rows.ts'

/** Users who would wait longer are better served by a statement. */
const LONGEST_MS = 20_000
/** An interrupt between two statements is not noticed. */
const HURRY_EVERY_MS = 50

const doNothing = (): void => undefined

const refused = (message: string) => new StatementRefused({ kind: 'resource', message })
const tooLong = () =>
  refused(`Computing this over all rows takes longer than ${LONGEST_MS / 1000} s. Use a statement instead.`)
const stopped = () => refused('It was stopped.')

/** Work on its own connection, which ends as soon as it is stopped. */
export interface RunningWork {
  run(sql: string): Promise<DuckDBMaterializedResult>
  /** All rows, as the texts that are shown of them. */
  texts(sql: string): Promise<readonly (readonly Cell[])[]>
  /** Of the first row. */
  numbers(sql: string): Promise<readonly number[]>
  /** In the zone of the result, its columns as they are read. */
  columnsOf(rows: FileRows): Promise<ArrangedColumn[]>
}

/** What is being computed over kept results; each can be stopped by its id, also before it has begun. */
export function createRunningWork(database: WriterDatabase) {
  const running = new Map<string, (why: Error) => void>()

  return {
    async run<T>(workId: string, work: (running: RunningWork) => Promise<T>): Promise<T> {
      let why: Error | null = null
      let hurry: NodeJS.Timeout | undefined
      let interrupt = doNothing
      const stop = (reason: Error) => {
        why ??= reason
        interrupt()
        hurry ??= setInterval(interrupt, HURRY_EVERY_MS)
      }
      running.set(workId, stop)
      const late = setTimeout(() => stop(tooLong()), LONGEST_MS)
      const requireGoing = () => {
        if (why) throw why
      }
      try {
        return await database.use((connection) => {
          interrupt = () => connection.interrupt()
          return work(runningOn(connection, requireGoing))
        })
      } catch (error) {
        throw why ?? error
      } finally {
        clearTimeout(late)
        clearInterval(hurry)
        running.delete(workId)
      }
    },

    async stop(workId: string): Promise<null> {
      running.get(workId)?.(stopped())
      return null
    },
  }
}

function runningOn(connection: DuckDBConnection, requireGoing: () => void): RunningWork {
  const run = (sql: string) => {
    requireGoing()
    return connection.run(sql)
  }
  return {
    run,

    async texts(sql) {
      const read = await run(sql)
      requireGoing()
      return (await readResult(connection, read, { names: null, maxRows: read.rowCount })).result.rows
    },

    async numbers(sql) {
      const read = await run(sql)
      return read.rowCount === 0 ? [] : (read.getChunk(0).getRowValues(0) ?? []).map(Number)
    },

    async columnsOf({ file: source, facts }) {
      await run(`SET TimeZone = ${quotedString(facts.timeZone)}`)
      const types = await restoredTypes(connection, { facts, source })
      return facts.columns.flatMap((column, at): ArrangedColumn[] => {
        const type = types[at]
        return type ? [{ column, type }] : []
      })
    },
  }
}

/** The rows of a file with their places, for a FROM. */
export const rowsIn = (file: string): string => `read_parquet(${quotedString(file)}, file_row_number = true)`
