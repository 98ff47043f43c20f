import type { Login } from '@boathouse/client'
import type { ChannelClient } from './channel-client.ts'
import type { EngineSettings } from './in-process.ts'
import type { SqlRunner } from './sql-runner.ts'
import type { RunningProduct } from './start-product.ts'

/** What every benchmark is given: a running product, somebody signed in to it, and DuckDB beside it. */
export interface Workshop {
  readonly running: RunningProduct
  readonly dataDirectory: string
  readonly login: Login
  readonly product: ChannelClient
  /** DuckDB in this process, with the threads and memory of the product's warehouse. */
  readonly peer: SqlRunner
  readonly settings: EngineSettings
  /** Empty, for files. */
  readonly scratch: string
}
