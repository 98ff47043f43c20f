import { type Kysely, sql, type Transaction } from 'kysely'
import type { Schema } from '../../../store/schema.ts'
import type { PipeRow } from './pipe-row.ts'
import { pipesIn, toPipe } from './pipe-rows-store.ts'

export interface PipeLease {
  readonly pipeId: string
  readonly owner: string
}

/** Who runs which pipe, and how far it is. */
export function createPipeLeaseStore(db: Kysely<Schema>) {
  return {
    /** By the service: unless somebody was faster. True when it did. */
    async suspend(trx: Transaction<Schema>, pipeId: string, reason: string): Promise<boolean> {
      const suspended = await trx
        .updateTable('pipes')
        .set({ state: 'suspended', reason, last_error: reason })
        .where('pipe_id', '=', pipeId)
        .where('state', '=', 'running')
        .returning('pipe_id')
        .executeTakeFirst()
      return suspended !== undefined
    },

    /** Those that nobody runs and that are due, accounts in turn. */
    async due(now: Date, most: number): Promise<PipeRow[]> {
      const rows = await pipesIn(db)
        .where('state', '=', 'running')
        .where('next_poll_at', '<=', now)
        .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', now)]))
        .orderBy(sql`row_number() over (partition by account_id order by next_poll_at)`)
        .orderBy('next_poll_at')
        .limit(most)
        .execute()
      return rows.map(toPipe)
    },

    /** False when another server has it, or it does not run any more. */
    async lease({ pipeId, owner }: PipeLease, now: Date, until: Date): Promise<boolean> {
      const leased = await db
        .updateTable('pipes')
        .set({ lease_owner: owner, lease_until: until })
        .where('pipe_id', '=', pipeId)
        .where('state', '=', 'running')
        .where((eb) =>
          eb.or([eb('lease_owner', '=', owner), eb('lease_until', 'is', null), eb('lease_until', '<', now)]),
        )
        .returning('pipe_id')
        .executeTakeFirst()
      return leased !== undefined
    },

    async release({ pipeId, owner }: PipeLease): Promise<void> {
      await db
        .updateTable('pipes')
        .set({ lease_owner: null, lease_until: null })
        .where('pipe_id', '=', pipeId)
        .where('lease_owner', '=', owner)
        .execute()
    },

    /** After its folder was listed and what was found is loaded, or not. */
    async looked(
      pipeId: string,
      looked: { readonly listedAt?: Date; readonly nextPollAt?: Date; readonly error?: string },
    ): Promise<void> {
      const { listedAt, nextPollAt, error } = looked
      await db
        .updateTable('pipes')
        .set({
          ...(listedAt && { listed_at: listedAt }),
          ...(nextPollAt && { next_poll_at: nextPollAt }),
          ...(error !== undefined && { last_error: error }),
        })
        .where('pipe_id', '=', pipeId)
        .execute()
    },

    /** What was there is loaded, and nothing else is to come. */
    async finish(pipeId: string): Promise<void> {
      await db
        .updateTable('pipes')
        .set({ state: 'finished' })
        .where('pipe_id', '=', pipeId)
        .where('state', '=', 'running')
        .execute()
    },
  }
}
