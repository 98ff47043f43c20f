import { existsSync } from 'node:fs'
import { DuckDBInstance, quotedString } from '@duckdb/node-api'
import { readReport } from '../errors.ts'
import { type Extension, extensionFile, EXTENSIONS } from './extension-names.ts'

interface ProbedExtension {
  readonly name: Extension
  readonly state: 'missing' | 'loads' | 'refused'
  /** As it says itself; empty when it does not load. */
  readonly version: string
  /** Why DuckDB does not load it. */
  readonly problem: string
}

export interface Probed {
  readonly duckdb: string
  /** As DuckDB calls it, such as linux_amd64. */
  readonly platform: string
  readonly extensions: readonly ProbedExtension[]
}

/** Only what DuckDB's publishers have signed for this very version and platform is loaded. */
const SETTINGS = {
  allow_unsigned_extensions: 'false',
  allow_community_extensions: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
}

/** Which extensions lie in a folder, and whether this DuckDB loads them. */
export async function probeExtensions(folder: string): Promise<Probed> {
  const instance = await DuckDBInstance.create(':memory:', SETTINGS)
  const connection = await instance.connect()
  try {
    const first = async (sql: string) => String((await connection.runAndReadAll(sql)).getRows()[0]?.[0] ?? '')
    const extensions: ProbedExtension[] = []
    for (const name of EXTENSIONS) {
      const file = extensionFile(folder, name)
      if (!existsSync(file)) {
        extensions.push({ name, state: 'missing', version: '', problem: '' })
        continue
      }
      try {
        await connection.run(`LOAD ${quotedString(file)}`)
        const version = await first(
          `SELECT extension_version FROM duckdb_extensions() WHERE extension_name = ${quotedString(name)}`,
        )
        extensions.push({ name, state: 'loads', version, problem: '' })
      } catch (error) {
        const [problem = ''] = readReport(error).message.split('\n')
        extensions.push({ name, state: 'refused', version: '', problem })
      }
    }
    const duckdb = await first('SELECT version()')
    const platform = await first('SELECT platform FROM pragma_platform()')
    return { duckdb, platform, extensions }
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}
