import type { Kysely } from 'kysely'
import type { Schema } from '../../../store/schema.ts'
import { type AuditEvent, recordAudit } from '../../audit/record.ts'
import type { Needed } from '../gate/authorize-statement.ts'

export interface Shared {
  readonly accountId: string
  readonly queryId: string
  readonly at: Date
  readonly needed: Needed
}

interface FoundShared {
  readonly needed: Needed
  readonly sharedAt: Date
}

interface Use {
  readonly queryId: string
  readonly userId: string
  readonly sharedAt: Date
}

/** Which kept results others may look at, and what they must hold for it. */
export function createSharedStore(db: Kysely<Schema>) {
  return {
    async find(accountId: string, queryId: string): Promise<FoundShared | undefined> {
      const row = await db
        .selectFrom('shared_results')
        .select(['needed', 'shared_at'])
        .where('account_id', '=', accountId)
        .where('query_id', '=', queryId)
        .executeTakeFirst()
      return row && { needed: row.needed as Needed, sharedAt: row.shared_at }
    },

    /** Records the first time that somebody looks at it since it was shared. */
    used: ({ queryId, userId, sharedAt }: Use, event: AuditEvent) =>
      db.transaction().execute(async (trx) => {
        const isFirst = await trx
          .insertInto('shared_result_uses')
          .values({ query_id: queryId, user_id: userId, shared_at: sharedAt })
          .onConflict((conflict) =>
            conflict
              .columns(['query_id', 'user_id'])
              .doUpdateSet({ shared_at: sharedAt })
              .where('shared_result_uses.shared_at', '<>', sharedAt),
          )
          .returning('query_id')
          .executeTakeFirst()
        if (isFirst) await recordAudit(trx, event)
      }),

    /** Shared again, it needs what the statement reads now. */
    share: ({ accountId, queryId, at, needed }: Shared, event: AuditEvent) =>
      db.transaction().execute(async (trx) => {
        const values = { shared_at: at, needed: JSON.stringify(needed) }
        await trx
          .insertInto('shared_results')
          .values({ query_id: queryId, account_id: accountId, ...values })
          .onConflict((conflict) => conflict.column('query_id').doUpdateSet(values))
          .execute()
        await recordAudit(trx, event)
      }),

    /** Recorded only if it was shared. */
    unshare: (accountId: string, queryId: string, event: AuditEvent) =>
      db.transaction().execute(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('shared_results')
          .where('account_id', '=', accountId)
          .where('query_id', '=', queryId)
          .executeTakeFirstOrThrow()
        if (numDeletedRows > 0n) await recordAudit(trx, event)
      }),
  }
}

export type SharedStore = ReturnType<typeof createSharedStore>
