import { escapeIdentifier, type Pool, type PoolClient } from 'pg'
import { lakeSchemaOf } from './cluster-catalog.ts'

/** Of one list. */
const MOST_NAMES = 100_000
/** Iceberg's own: a namespace is there when it has a property. */
const EXISTS = 'exists'

interface NamedTable {
  readonly database: string
  readonly name: string
  readonly type: 'table' | 'view'
  readonly metadata: string
}

/** Names of an account's Iceberg tables in one catalog. Each method needs the account's schema to be there. */
export interface LakeNames {
  databases(): Promise<string[]>
  tableCounts(databases: readonly string[]): Promise<ReadonlyMap<string, number>>
  tables(where: { database?: string; name?: string; most: number }): Promise<NamedTable[]>
  createDatabase(name: string, queryId: string): Promise<boolean>
  dropDatabase(name: string, queryId: string): Promise<'dropped' | 'missing' | 'not empty'>
  tookEffect(queryIds: readonly string[]): Promise<ReadonlySet<string>>
  forget(before: Date): Promise<void>
}

/** The schemas of all accounts that have such names; of clusters of an earlier version, from their next start on. */
export async function lakeSchemas(pool: Pool): Promise<Set<string>> {
  const { rows } = await pool.query<{ name: string }>(
    `select schemaname as name from pg_tables where tablename = 'service_changes'`,
  )
  return new Set(rows.map(({ name }) => name))
}

export function createLakeNames(pool: Pool, accountId: string, catalog: string): LakeNames {
  const schema = escapeIdentifier(lakeSchemaOf(accountId))
  const namespaces = `select namespace as name from ${schema}.iceberg_namespace_properties where catalog_name = $1
    union select table_namespace from ${schema}.iceberg_tables where catalog_name = $1`

  /** One at a time: whether a database is empty cannot change meanwhile but by a cluster. */
  async function change<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query('select pg_advisory_xact_lock(hashtext($1))', [lakeSchemaOf(accountId)])
      const done = await work(client)
      await client.query('commit')
      return done
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }

  const isThere = async (client: PoolClient, name: string): Promise<boolean> =>
    (await client.query(`select from (${namespaces}) n where name = $2`, [catalog, name])).rowCount !== 0

  const note = (client: PoolClient, queryId: string) =>
    client.query(`insert into ${schema}.service_changes (query_id) values ($1) on conflict do nothing`, [
      queryId,
    ])

  return {
    async databases() {
      const sql = `select name from (${namespaces}) n order by name collate "C" limit ${MOST_NAMES}`
      return (await pool.query<{ name: string }>(sql, [catalog])).rows.map(({ name }) => name)
    },

    async tableCounts(databases) {
      const { rows } = await pool.query<{ database: string; tables: number }>(
        `select table_namespace as database, count(*)::int as tables from ${schema}.iceberg_tables
         where catalog_name = $1 and table_namespace = any($2) group by table_namespace`,
        [catalog, databases],
      )
      return new Map(rows.map((row) => [row.database, row.tables]))
    },

    async tables({ database, name, most }) {
      const { rows } = await pool.query<NamedTable>(
        `select table_namespace as database, table_name as name, metadata_location as metadata,
           case when iceberg_type = 'VIEW' then 'view' else 'table' end as type
         from ${schema}.iceberg_tables
         where catalog_name = $1 and ($2::text is null or table_namespace = $2) and ($3::text is null or table_name = $3)
         order by table_namespace collate "C", table_name collate "C" limit $4`,
        [catalog, database ?? null, name ?? null, most],
      )
      return rows
    },

    createDatabase: (name, queryId) =>
      change(async (client) => {
        if (await isThere(client, name)) return false
        await client.query(
          `insert into ${schema}.iceberg_namespace_properties values ($1, $2, '${EXISTS}', 'true')`,
          [catalog, name],
        )
        await note(client, queryId)
        return true
      }),

    dropDatabase: (name, queryId) =>
      change(async (client) => {
        if (!(await isThere(client, name))) return 'missing'
        const held = `select from ${schema}.iceberg_tables where catalog_name = $1 and table_namespace = $2 limit 1`
        if ((await client.query(held, [catalog, name])).rowCount) return 'not empty'
        await client.query(
          `delete from ${schema}.iceberg_namespace_properties where catalog_name = $1 and namespace = $2`,
          [catalog, name],
        )
        await note(client, queryId)
        return 'dropped'
      }),

    async tookEffect(queryIds) {
      const sql = `select query_id from ${schema}.service_changes where query_id = any($1)`
      const { rows } = await pool.query<{ query_id: string }>(sql, [queryIds])
      return new Set(rows.map((row) => row.query_id))
    },

    async forget(before) {
      await pool.query(`delete from ${schema}.service_changes where at < $1`, [before])
    },
  }
}
