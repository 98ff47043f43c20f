import { DEFAULT_WAREHOUSE_NAME } from '@boathouse/contract'
import { type RawBuilder, sql } from 'kysely'

/** The name that the warehouse of a session or a statement has now; null when it is gone. */
export const warehouseNameNow = (of: 'connections' | 'statements'): RawBuilder<string | null> =>
  sql`(select name from warehouses where warehouses.warehouse_id = ${sql.ref(`${of}.warehouse_id`)})`

/** The warehouse of who has chosen none. Accounts without one have to choose. */
export const defaultWarehouseId = (accountId: string): RawBuilder<string | null> =>
  sql`(select warehouse_id from warehouses
    where account_id = ${accountId} and lower(name) = ${DEFAULT_WAREHOUSE_NAME})`
