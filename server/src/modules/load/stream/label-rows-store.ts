import { type Kysely, sql } from 'kysely'
import { catalogIdOf } from '../../../store/catalog-ids.ts'
import { compiledOnce } from '../../../store/compiled-once.ts'
import { jsonText } from '../../../store/json-text.ts'
import type { Schema } from '../../../store/schema.ts'
import { createWrittenTogether } from '../../../store/written-together.ts'
import type { StreamOptions } from './stream-options.ts'

/** A load as it is written down before anything of it runs. */
export interface NewStream {
  readonly taskId: string
  readonly accountId: string
  readonly userId: string
  readonly userName: string
  readonly label: string
  readonly table: { readonly catalog: string; readonly database: string; readonly name: string }
  readonly warehouse: { readonly id: string; readonly name: string }
  readonly part: Pick<StreamOptions['part'], 'reading' | 'columns'>
  readonly requestId: string | null
  readonly sizeBytes: number
  readonly at: Date
}

/** What a row says of a load that begins, with the name of its catalog where its id is kept. */
const begunOf = (stream: NewStream) => ({
  task_id: stream.taskId,
  account_id: stream.accountId,
  user_id: stream.userId,
  user_name: stream.userName,
  file_name: stream.label,
  label: stream.label,
  size_bytes: stream.sizeBytes,
  catalog_id: stream.table.catalog,
  database_name: stream.table.database,
  table_name: stream.table.name,
  makes_table: false,
  warehouse_id: stream.warehouse.id,
  warehouse_name: stream.warehouse.name,
  reading: stream.part.reading,
  columns: stream.part.columns ?? [],
  most_rejected: 0,
  state: 'running',
  request_id: stream.requestId,
  created_at: stream.at,
})

type Begun = ReturnType<typeof begunOf>

const BEGUN = {
  task_id: true,
  account_id: true,
  user_id: true,
  user_name: true,
  file_name: true,
  label: true,
  size_bytes: true,
  catalog_id: true,
  database_name: true,
  table_name: true,
  makes_table: true,
  warehouse_id: true,
  warehouse_name: true,
  reading: true,
  columns: true,
  most_rejected: true,
  state: true,
  request_id: true,
  created_at: true,
} satisfies Record<keyof Begun, true>

/** The row of a load that begins. */
export const rowOf = (stream: NewStream) => ({
  ...begunOf(stream),
  catalog_id: catalogIdOf(stream.accountId, stream.table.catalog),
  reading: jsonText(stream.part.reading),
  columns: jsonText(stream.part.columns ?? []),
  transaction_id: sql<number>`nextval('stream_transactions')`,
})

const NAMES = Object.keys(BEGUN)
const valueOf = (name: string) =>
  name === 'catalog_id' ? sql`catalog_id_of(r.account_id, r.catalog_id)` : sql.ref(`r.${name}`)

/** Rows of several loads; one whose label is taken is left out. */
const insertAll = (rows: string) => sql<{ task_id: string; transaction_id: number }>`
  insert into load_tasks (${sql.join(NAMES.map((name) => sql.ref(name)))}, transaction_id)
  select ${sql.join(NAMES.map(valueOf))}, nextval('stream_transactions')
  from jsonb_populate_recordset(null::load_tasks, ${rows}::jsonb) r
  on conflict do nothing returning task_id, transaction_id`

const compared = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

/** Between the beginnings of two writes: each of them waits for the disk. */
const EVERY_MS = 10

/** Labels are taken before their loads run, those of one moment together; undefined: another load has it. */
export function createLabelRows(db: Kysely<Schema>) {
  const insert = compiledOnce(db, ({ rows }: { rows: string }) => ({
    compile: () => insertAll(rows).compile(db),
  }))
  return createWrittenTogether(async (streams: readonly NewStream[]) => {
    // In one order: of two servers that write the same labels, none waits for the other while that waits for it.
    const inOrder = streams.map(begunOf).toSorted((one, other) => compared(one.label, other.label))
    const written = await insert({ rows: jsonText(inOrder) })
    const ids = new Map(written.map((row) => [row.task_id, row.transaction_id]))
    return streams.map(({ taskId }) => ids.get(taskId))
  }, EVERY_MS)
}
