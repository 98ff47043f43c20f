import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { AttachedCatalogs } from '../account/attached-catalogs.ts'
import type { NameCache } from '../account/name-cache.ts'
import type { MemoryMeter } from '../account/memory-meter.ts'
import type { KnownDefinitions } from '../objects/definitions.ts'
import type { ResultWriter } from '../result-writer/result-writer.ts'
import type { FileWorld } from './file-statement.ts'
import type { SelectCache } from './select-cache.ts'
import type { StubbornStatements } from './uninterruptible.ts'

/** What all sessions of an account share. */
export interface SessionWorld extends FileWorld {
  readonly instance: DuckDBInstance
  /** For questions of ours that no statement must wait for. */
  readonly own: DuckDBConnection
  readonly resultWriter: ResultWriter
  readonly selects: SelectCache
  readonly memory: MemoryMeter
  readonly definitions: KnownDefinitions
  readonly names: NameCache
  readonly attached: AttachedCatalogs
  readonly uninterruptible: StubbornStatements
  /** DuckDB has failed so that its process must be started again. */
  readonly onFatal: (reason: string) => void
}
