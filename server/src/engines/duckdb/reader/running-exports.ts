import { dirname, resolve } from 'node:path'
import { quotedString } from '@duckdb/node-api'
import type { Exported, ResultReader } from '../../../results/reader.ts'
import { StatementRefused } from '../errors.ts'
import type { WriterDatabase } from '../result-writer/writer-database.ts'
import { ExportStopped, type Making, writeExport } from './export-file.ts'
import type { FoundResults } from './found-result.ts'
import { SheetTooSmall } from './xlsx.ts'

interface RunningExportsOptions {
  readonly database: WriterDatabase
  readonly results: Pick<FoundResults, 'find' | 'withValues'>
  /** The only one that they are written to. */
  readonly folder: string
}

/** Exports that are being made; each can be looked at and stopped by its file. */
export function createRunningExports({
  database,
  results,
  folder,
}: RunningExportsOptions): Pick<ResultReader, 'export' | 'exportProgress' | 'stopExport'> {
  /** By the file that it makes. */
  const exporting = new Map<string, { making: Making; stop: () => void }>()

  return {
    async export(queryId, { format, file, maxBytes }) {
      const target = resolve(file)
      if (dirname(target) !== folder) throw outsideExports()
      const stopping = new AbortController()
      const making: Making = { signal: stopping.signal, percent: null }
      // From here on it can be stopped, also before its result is found.
      exporting.set(target, { making, stop: () => stopping.abort() })
      try {
        const found = await results.find(queryId)
        if (!found) return null
        return await results.withValues(found, target, async ({ file: source, facts }) =>
          fitting(
            database.use((connection) =>
              database.use(async (other) => {
                await connection.run(`SET TimeZone = ${quotedString(facts.timeZone)}`)
                return writeExport(connection, { source, facts, format, target, maxBytes, other, making })
              }),
            ),
          ),
        )
      } finally {
        exporting.delete(target)
      }
    },

    exportProgress: async (file) => exporting.get(resolve(file))?.making.percent ?? null,

    async stopExport(file) {
      exporting.get(resolve(file))?.stop()
      return null
    },
  }
}

async function fitting(written: Promise<number | null>): Promise<Exported> {
  try {
    return { bytes: await written }
  } catch (error) {
    if (error instanceof ExportStopped) return { bytes: null, stopped: true }
    if (!(error instanceof SheetTooSmall)) throw error
    return { bytes: null, unfit: error.message }
  }
}

function outsideExports(): StatementRefused {
  const message = `An export can only be written to the folder "exports" of its account.`
  return new StatementRefused({ kind: 'permission', message })
}
