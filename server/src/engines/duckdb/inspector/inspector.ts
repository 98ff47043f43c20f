import { rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { EngineError } from '../../engine/outcome.ts'
import type { ResultRows } from '../../engine/rows.ts'
import type { FileReading, FileReport, InspectOrder } from '../../engine/files.ts'
import { builtSheetReader } from '../account/account.ts'
import { StatementRefused, readReport } from '../errors.ts'
import { fileFailure } from '../files/file-errors.ts'
import { type Extracting, extractingOf, withExtracted } from '../files/extracted-file.ts'
import { inspectFile } from '../files/inspect-file.ts'
import { refuseColumns, refuseLying } from '../files/file-head.ts'
import { refuseDeepJson } from '../files/json-depth.ts'
import { type LinkedFile, withLinked } from '../files/linked-file.ts'
import { recordSource } from '../files/record-source.ts'
import { type SandboxSpace, openSandbox } from '../guard/sandbox.ts'

/** What is in a file, or why it cannot be read. */
export type FileLook =
  | (Omit<FileReport, 'rejected'> & { readonly result: ResultRows; readonly bytes: number })
  | { readonly error: EngineError }

/** What the server asks of the process that looks at files. */
interface FileInspector {
  inspect(order: InspectOrder): Promise<FileLook>
  /** Why an engine should not read it; null when it may. */
  check(file: string, reading: FileReading): Promise<EngineError | null>
}

export interface LocalInspector extends FileInspector {
  close(): Promise<void>
}

/**
 * A DuckDB in memory, in a process of its own: what a file does to it affects only the user who uploaded it. It is
 * confined as an engine is, and sees only its own temporary folder.
 */
export async function openInspector(space: SandboxSpace): Promise<LocalInspector> {
  const { instance, directory, temporary, mask } = await openSandbox(space, { inMemory: true })
  const stopping = new AbortController()
  const tools = { sheetReader: builtSheetReader, stop: stopping.signal }

  async function looked<T>(
    name: string,
    extracting: Extracting,
    look: (connection: DuckDBConnection, file: LinkedFile) => Promise<T>,
  ): Promise<T | { error: EngineError }> {
    const connection = await instance.connect()
    try {
      return await withLinked({ directory, temporary }, name, (path) =>
        withExtracted(path, extracting, (file) => look(connection, { ...file, tools })).catch(
          (error: unknown) => {
            throw fileFailure(error, path, { mask })
          },
        ),
      )
    } catch (error) {
      if (error instanceof StatementRefused) return { error: error.error }
      return { error: { kind: 'data', message: mask(readReport(error).message) } }
    } finally {
      connection.closeSync()
    }
  }

  return {
    inspect: (order) =>
      looked(order.file, extractingOf(order, stopping.signal), (connection, file) =>
        inspectFile(connection, file, order),
      ),
    async check(name, reading) {
      const all = { format: reading.format, firstBytes: null, stop: stopping.signal }
      const found = await looked(name, all, async (connection, file) => {
        await readAll(connection, file.path, reading)
        return null
      })
      return found?.error ?? null
    },
    async close() {
      stopping.abort()
      instance.closeSync()
      await rm(temporary, { recursive: true, force: true })
    },
  }
}

/** Whatever an engine would do with the file that may end it is done here. */
async function readAll(connection: DuckDBConnection, path: string, reading: FileReading): Promise<void> {
  await refuseLying(path, reading)
  await refuseDeepJson(path, reading)
  if (reading.format !== 'parquet') return
  const source = recordSource(path, reading)
  refuseColumns((await connection.run(`SELECT * FROM ${source} LIMIT 0`)).columnCount)
  await connection.run(`SELECT system.main.count(COLUMNS(*)) FROM ${source}`)
}
