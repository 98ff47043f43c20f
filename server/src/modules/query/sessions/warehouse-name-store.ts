import { DEFAULT_WAREHOUSE_NAME } from '@boathouse/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../../../store/schema.ts'

/** The name that the warehouse of a session or a statement has now; null when it is gone. */
export const warehouseNameNow = (of: 'connections' | 'statements'): RawBuilder<string | null> =>
  sql`(select name from warehouses where warehouses.warehouse_id = ${sql.ref(`${of}.warehouse_id`)})`

/** The kind of engine that the warehouse of a session has; null: the home engine, or the warehouse is gone. */
export const warehouseEngine = (): RawBuilder<string | null> =>
  sql`(select engine from warehouses where warehouses.warehouse_id = connections.warehouse_id)`

/** The warehouse of who has chosen none. Accounts without one have to choose. */
export const defaultWarehouseId = (accountId: string): RawBuilder<string | null> =>
  sql`(select warehouse_id from warehouses
    where account_id = ${accountId} and lower(name) = ${DEFAULT_WAREHOUSE_NAME})`

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** By the name that it has now, or by the id that it keeps when it is gone; null when none has the name. */
export async function findWarehouseId(
  db: Kysely<Schema>,
  accountId: string,
  nameOrId: string,
): Promise<string | null> {
  if (UUID.test(nameOrId)) return nameOrId
  const found = await db
    .selectFrom('warehouses')
    .select('warehouse_id')
    .where('account_id', '=', accountId)
    .where(sql`lower(name)`, '=', nameOrId.toLowerCase())
    .executeTakeFirst()
  return found?.warehouse_id ?? null
}
