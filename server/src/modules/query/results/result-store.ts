import { SHELL_STATES } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import { statementCatalogName } from '../../../store/catalog-ids.ts'
import type { Schema } from '../../../store/schema.ts'
import { neededNow } from '../statement-writes-store.ts'
import { createResultRetentionStore } from './result-retention-store.ts'

/** What the database knows of kept results; their rows are files. */
export function createResultStore(db: Kysely<Schema>) {
  return {
    ...createResultRetentionStore(db),

    find: (accountId: string, queryId: string) =>
      db
        .selectFrom('statements')
        .select([
          'user_id',
          'user_name',
          'database_name',
          'sql',
          'bound_values',
          'kind',
          'ended_at',
          'result_state',
          'result_expires_at',
          'result_columns',
          'result_rows',
          'result_complete',
        ])
        .select([neededNow(), statementCatalogName().as('catalog')])
        .where('account_id', '=', accountId)
        .where('query_id', '=', queryId)
        .executeTakeFirst(),

    /** What was run, where. */
    findRun: (accountId: string, queryId: string) =>
      db
        .selectFrom('statements')
        .select([
          'user_id',
          'sql',
          'bound_values',
          'sql_hash',
          'kind',
          'connection_id',
          'database_name',
          'warehouse_id',
          'client_ip',
        ])
        // A full export runs it again, where it ran.
        .select(statementCatalogName().as('catalog'))
        .where('account_id', '=', accountId)
        .where('query_id', '=', queryId)
        .executeTakeFirst(),

    accountStateOf: async (accountId: string): Promise<number> => {
      const row = await db
        .selectFrom('accounts')
        .select('shell_state')
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row?.shell_state ?? SHELL_STATES.Closed
    },
  }
}

export type ResultStore = ReturnType<typeof createResultStore>
