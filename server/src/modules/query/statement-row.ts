import type { Selectable } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** A statement as the history keeps it. */
export type StatementRow = Selectable<Schema['statements']>

export interface NewStatement {
  readonly query_id: string
  readonly account_id: string
  readonly user_id: string
  readonly user_name: string
  /** False: the history does not list it. */
  readonly visible: boolean
  readonly writes: boolean
  readonly connection_id: number
  readonly request_id: string
  readonly statement_index: number
  readonly statement_count: number
  readonly door: string
  readonly client_ip: string | null
  /** Null: it came over the public address. */
  readonly private_endpoint: string | null
  /** What the client's program calls itself, where it says so. */
  readonly program: string | null
  /** The API key that it was sent with. */
  readonly key_name: string | null
  readonly warehouse_id: string | null
  /** Its name at this moment. */
  readonly warehouse: string
  /** The kind of engine that is to run it; null: none is. */
  readonly engine: string | null
  readonly catalog: string
  readonly database_name: string | null
  readonly sql: string
  /** JSON of what is bound to its parameters; null: it was sent without values. */
  readonly bound_values: string | null
  readonly kind: string
  readonly state: 'accepted' | 'running'
  readonly accepted_at: Date
  readonly started_at: Date | null
}

/** The history is partitioned by months: by the id alone, each of them would be searched. */
export interface StatementKey {
  readonly queryId: string
  readonly acceptedAt: Date
}

/** A request is written down. */
export interface Acceptance {
  /** What the database said in the same moment; missing when it could not. */
  readonly identityVersion: number | undefined
}
