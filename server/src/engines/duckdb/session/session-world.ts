import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import type { AttachedCatalogs } from '../account/attached-catalogs.ts'
import type { KnownNames } from '../account/known-names.ts'
import type { MemoryMeter } from '../account/memory-meter.ts'
import type { KnownDefinitions } from '../objects/definitions.ts'
import type { Shelf } from '../shelf/shelf.ts'
import type { FileWorld } from './file-statement.ts'
import type { KnownSelects } from './known-selects.ts'
import type { StubbornStatements } from './stubborn.ts'

/** What all sessions of an account share. */
export interface SessionWorld extends FileWorld {
  readonly instance: DuckDBInstance
  /** For questions of ours that no statement must wait for. */
  readonly own: DuckDBConnection
  readonly shelf: Shelf
  readonly selects: KnownSelects
  readonly memory: MemoryMeter
  readonly definitions: KnownDefinitions
  readonly names: KnownNames
  readonly attached: AttachedCatalogs
  readonly stubborn: StubbornStatements
  /** DuckDB has failed so that its process must be started again. */
  readonly onFatal: (reason: string) => void
}
