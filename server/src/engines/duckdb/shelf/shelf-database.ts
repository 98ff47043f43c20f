import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance, quotedString } from '@duckdb/node-api'
import type { SandboxSpace } from '../sandbox.ts'
import { EXPORT_MACROS } from './export-text.ts'

// What is written or read at once, in rows. Long texts need three times what they have, and 256 MB of them are kept.
const MEMORY_BYTES = 768 * 1024 * 1024

/**
 * A DuckDB beside the account's, in the same process, that alone may touch the files of kept results and exports.
 * No statement of a user runs in it, so the account's own DuckDB needs no file opened to it.
 */
export class ShelfDatabase {
  private opened: Promise<DuckDBInstance> | null = null

  constructor(
    private readonly space: SandboxSpace,
    private readonly directories: readonly string[],
  ) {}

  async use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.connect()
    try {
      return await work(connection)
    } finally {
      connection.closeSync()
    }
  }

  /** To be closed by whoever asked for it. */
  async connect(): Promise<DuckDBConnection> {
    this.opened ??= this.open()
    return (await this.opened).connect()
  }

  async setThreads(threads: number): Promise<void> {
    if (this.opened) await this.use((connection) => connection.run(`SET threads = ${threads}`))
  }

  async close(): Promise<void> {
    ;(await this.opened)?.closeSync()
  }

  private async open(): Promise<DuckDBInstance> {
    const temporary = join(this.space.directory, 'tmp', randomUUID())
    await mkdir(temporary, { recursive: true })
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(this.space.threads),
      memory_limit: `${MEMORY_BYTES}B`,
      temp_directory: temporary,
      max_temp_directory_size: `${this.space.tempBytes}B`,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    })
    const connection = await instance.connect()
    for (const step of [
      ...EXPORT_MACROS,
      'SET GLOBAL errors_as_json = true',
      `SET allowed_directories = [${this.directories.map(quotedString).join(', ')}]`,
      'SET enable_external_access = false',
    ])
      await connection.run(step)
    connection.closeSync()
    return instance
  }
}
