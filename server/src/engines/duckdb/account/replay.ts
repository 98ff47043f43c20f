import { DuckDBInstance, quotedIdentifier, quotedString } from '@duckdb/node-api'
import { readReport } from '../errors.ts'

export interface DatabaseFile {
  readonly path: string
  readonly catalog: string
  readonly settings: Record<string, string>
}

/**
 * Opens the file. DuckDB 1.5 cannot replay its log after some changes of tables, such as ALTER TABLE where a default
 * is an expression: it looks for the default database, and there is none while the first one is being opened. Beside
 * another database it can, so that the log is brought into the file there.
 */
export async function openReplayed(file: DatabaseFile): Promise<DuckDBInstance> {
  const open = () => DuckDBInstance.create(file.path, file.settings)
  try {
    return await open()
  } catch (error) {
    if (!readReport(error).message.includes('replaying WAL') || !(await replayBeside(file))) throw error
  }
  return open()
}

/** False when that fails too: then the first failure is the one to tell. */
async function replayBeside({ path, catalog, settings }: DatabaseFile): Promise<boolean> {
  const name = quotedIdentifier(catalog)
  const instance = await DuckDBInstance.create(':memory:', settings)
  try {
    const connection = await instance.connect()
    for (const step of [`ATTACH ${quotedString(path)} AS ${name}`, `CHECKPOINT ${name}`, `DETACH ${name}`])
      await connection.run(step)
    connection.closeSync()
    return true
  } catch {
    return false
  } finally {
    instance.closeSync()
  }
}
