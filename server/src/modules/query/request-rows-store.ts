import { type Kysely, sql } from 'kysely'
import { statementCatalogName } from '../../store/catalog-ids.ts'
import type { Schema } from '../../store/schema.ts'
import { warehouseNameNow } from './sessions/warehouse-name-store.ts'
import { neededNow } from './statement-writes-store.ts'

/** The statements of a request, in their order. */
export const requestRows = (db: Kysely<Schema>, accountId: string, requestId: string) =>
  db
    .selectFrom('statements')
    .selectAll()
    // In place of the names that were written.
    .select([
      sql<string | null>`coalesce(${warehouseNameNow('statements')}, warehouse)`.as('warehouse'),
      statementCatalogName().as('catalog'),
      neededNow(),
    ])
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)
    .orderBy('statement_index')
    .execute()
