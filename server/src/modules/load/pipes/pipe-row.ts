import type { PipeState } from '@boathouse/contract'
import type { PipeSourceText } from './pipe-definition.ts'
import type { PipeSettings } from './pipe-properties.ts'

export interface PipeRow {
  readonly pipe_id: string
  readonly account_id: string
  readonly catalog: string
  readonly database_name: string
  readonly name: string
  readonly user_id: string
  readonly user_name: string
  readonly table_catalog: string
  readonly table_database: string
  readonly table_name: string
  readonly statement: string
  readonly source: PipeSourceText
  readonly properties: PipeSettings
  readonly state: PipeState
  readonly reason: string
  readonly last_error: string
  readonly next_poll_at: Date
  readonly listed_at: Date | null
  readonly created_at: Date
}
