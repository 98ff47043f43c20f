import { escapeIdentifier, type Pool } from 'pg'
import { lakeSchemaOf } from './cluster-catalog.ts'

interface LakeWrite {
  readonly queryId: string
  readonly warehouseId: string
  readonly remoteId: string
  readonly database: string
  readonly name: string | null
  readonly leavesSnapshot: boolean
}

interface NotedWrite extends LakeWrite {
  readonly metadataBefore: string | null
}

/** What the clusters of an account were about to write. The account has a lake. */
export function createLakeWrites(pool: Pool, accountId: string, catalog: string) {
  const tables = `${escapeIdentifier(lakeSchemaOf(accountId))}.iceberg_tables`
  return {
    /** Together with the table as it is before. */
    async noteWrite(write: LakeWrite): Promise<void> {
      const { queryId, warehouseId, remoteId, database, name, leavesSnapshot } = write
      await pool.query(
        `insert into lake_writes (query_id, account_id, warehouse_id, remote_id, database, name,
           leaves_snapshot, metadata_before)
         select $1, $2, $3, $4, $5, $6, $7, (select metadata_location from ${tables}
           where catalog_name = $8 and table_namespace = $5 and table_name = $6)
         on conflict (query_id) do update set warehouse_id = excluded.warehouse_id, remote_id = excluded.remote_id,
           metadata_before = excluded.metadata_before, begun_at = now()`,
        [queryId, accountId, warehouseId, remoteId, database, name, leavesSnapshot, catalog],
      )
    },

    async notedWrites(queryIds: readonly string[]): Promise<NotedWrite[]> {
      const { rows } = await pool.query<NotedWrite>(
        `select query_id as "queryId", warehouse_id as "warehouseId", remote_id as "remoteId", database, name,
           leaves_snapshot as "leavesSnapshot", metadata_before as "metadataBefore"
         from lake_writes where query_id = any($1) and account_id = $2`,
        [queryIds, accountId],
      )
      return rows
    },

    async forgetWrites(before: Date): Promise<void> {
      await pool.query('delete from lake_writes where account_id = $1 and begun_at < $2', [accountId, before])
    },
  }
}
