import { type Kysely, type RawBuilder, sql } from 'kysely'
import { catalogIdOf } from '../../store/catalog-ids.ts'
import { compiledOnce } from '../../store/compiled-once.ts'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import type { NewStatement, StatementRow } from './statement-row.ts'

/** The path of the catalog in a privilege that a statement needed; it is kept by its id. */
const IN_NEEDED = sql`'{object,catalog}'`

/** In the names that catalogs have now. */
export const neededNow = () => sql`catalog_names_in(statements.needed, ${IN_NEEDED})`.as('needed')

/** Of the row that is written. */
export const statementCatalogId = (name: string): RawBuilder<string> =>
  catalogIdOf(sql.ref<string>('statements.account_id'), name)

/** The version of what users are and may do comes along, so that nobody has to ask for it apart. */
export const acceptInsert = (db: Kysely<Schema>, rows: readonly NewStatement[]) =>
  db
    .insertInto('statements')
    .values(rows.map((row) => ({ ...row, catalog_id: catalogIdOf(row.account_id, row.catalog) })))
    .returning(({ selectFrom }) =>
      selectFrom('identity_versions')
        .select('version')
        .whereRef('identity_versions.account_id', '=', 'statements.account_id')
        .as('identity_version'),
    )

const ACCEPTED = {
  query_id: true,
  account_id: true,
  user_id: true,
  user_name: true,
  visible: true,
  writes: true,
  connection_id: true,
  request_id: true,
  statement_index: true,
  statement_count: true,
  door: true,
  client_ip: true,
  private_endpoint: true,
  program: true,
  key_name: true,
  warehouse_id: true,
  warehouse: true,
  engine: true,
  catalog: true,
  database_name: true,
  sql: true,
  bound_values: true,
  kind: true,
  state: true,
  accepted_at: true,
  started_at: true,
} satisfies Record<keyof NewStatement, true>

export const ACCEPTED_COLUMNS = Object.keys(ACCEPTED) as (keyof NewStatement)[]

/** With each value by its name, which a query that is compiled once must use. */
const oneInsert = (db: Kysely<Schema>) => (row: NewStatement) =>
  acceptInsert(db, [
    Object.fromEntries(ACCEPTED_COLUMNS.map((name) => [name, row[name]])) as unknown as NewStatement,
  ])

const columnsOf = (table: string) => sql.join(ACCEPTED_COLUMNS.map((name) => sql.ref(`${table}.${name}`)))

/** The same for rows of several requests, of one account or more. */
const severalInsert = (rows: string) => sql<{ query_id: string; identity_version: number | null }>`
  insert into statements (${sql.join(ACCEPTED_COLUMNS.map((name) => sql.ref(name)))}, catalog_id)
  select ${columnsOf('r')}, catalog_id_of(r.account_id, r.catalog)
  from jsonb_populate_recordset(null::statements, ${rows}::jsonb) r
  returning query_id,
    (select version from identity_versions where identity_versions.account_id = statements.account_id) identity_version`

/** What of a statement's row is written at its end. */
export const ENDED_COLUMNS = [
  'query_id',
  'accepted_at',
  'state',
  'ended_at',
  'duration_us',
  'row_count',
  'error',
  'effect',
  'peak_memory_bytes',
  'compile_us',
  'fetch_us',
  'peak_spill_bytes',
  'shown_bytes',
  'engine',
  'profile',
  'plan',
  'result_state',
  'result_rows',
  'result_complete',
  'result_columns',
  'needed',
  'result_expires_at',
] as const satisfies readonly (keyof StatementRow)[]

export type EndedRow = Pick<StatementRow, (typeof ENDED_COLUMNS)[number]>

/** The two writes that every statement makes. */
export function statementWrites(db: Kysely<Schema>) {
  const insertSeveral = compiledOnce(db, ({ rows }: { rows: string }) => ({
    compile: () => severalInsert(rows).compile(db),
  }))
  const updateEnds = compiledOnce(db, ({ ends }: { ends: string }) => ({
    compile: () => sql`select end_statements(${ends}::jsonb)`.compile(db),
  }))
  return {
    acceptOne: compiledOnce(db, oneInsert(db)),

    /** All or none, with the version that was read for each, by its query id. */
    async acceptSeveral(rows: readonly NewStatement[]): Promise<ReadonlyMap<string, number | undefined>> {
      const written = await insertSeveral({ rows: jsonText(rows) })
      return new Map(written.map(({ query_id: id, identity_version: version }) => [id, version ?? undefined]))
    },

    /** All or none. */
    async writeEnds(ends: readonly EndedRow[]): Promise<void> {
      await updateEnds({ ends: jsonText(ends) })
    },
  }
}

export type StatementWrites = ReturnType<typeof statementWrites>
