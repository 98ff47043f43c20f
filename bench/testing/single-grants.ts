import type { Client } from 'pg'

export interface SingleGrants {
  readonly accountId: string
  readonly userId: string
  readonly catalogId: string
  /** SELECT on the tables table_0, table_1 and so on. */
  readonly tables: number
}

/** As if a user had been granted each table separately, and the use of the catalog. */
export async function addSingleGrants(client: Client, grants: SingleGrants): Promise<void> {
  const { accountId, userId, catalogId, tables } = grants
  await client.query(
    `insert into grants (account_id, user_id, object_type, catalog_id, database, name, privileges, grantable, granted_by, granted_at)
     select $1::text, $2::uuid, 'table', $3, 'main', 'table_' || n, array['SELECT'], array[]::text[], 'bench', now()
     from generate_series(0, $4::int - 1) n
     union all select $1, $2, 'catalog', $3, '', '', array['USAGE'], array[]::text[], 'bench', now()`,
    [accountId, userId, catalogId, tables],
  )
  await client.query('analyze grants')
}
