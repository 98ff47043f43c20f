import { mkdir } from 'node:fs/promises'
import { type DuckDBConnection, DuckDBInstance, quotedString } from '@duckdb/node-api'

// What is written or read at once, in rows. Long texts need three times what they have, and 256 MB of them are kept.
const MEMORY_BYTES = 768 * 1024 * 1024

export interface WriterOptions {
  readonly threads: number
  /** The only folders it may touch. */
  readonly directories: readonly string[]
  /** For what does not fit into memory; without it there is no such place. */
  readonly temporary?: { readonly directory: string; readonly bytes: number }
  /** Run once, before it is used. */
  readonly prepare?: readonly string[]
}

/**
 * A DuckDB that alone may touch the files of kept results and exports. No statement of a user runs in it, so the
 * account's own DuckDB needs no file opened to it.
 */
export class WriterDatabase {
  private opened: Promise<DuckDBInstance> | null = null

  constructor(private readonly options: WriterOptions) {}

  async use<T>(work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    const connection = await this.connect()
    try {
      return await work(connection)
    } finally {
      connection.closeSync()
    }
  }

  /** The caller closes it. */
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
    const { threads, directories, temporary, prepare = [] } = this.options
    if (temporary) await mkdir(temporary.directory, { recursive: true })
    const instance = await DuckDBInstance.create(':memory:', {
      threads: String(threads),
      memory_limit: `${MEMORY_BYTES}B`,
      temp_directory: temporary?.directory ?? '',
      ...(temporary && { max_temp_directory_size: `${temporary.bytes}B` }),
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
    })
    const connection = await instance.connect()
    for (const step of [
      ...prepare,
      'SET GLOBAL errors_as_json = true',
      `SET allowed_directories = [${directories.map(quotedString).join(', ')}]`,
      'SET enable_external_access = false',
    ])
      await connection.run(step)
    connection.closeSync()
    return instance
  }
}
