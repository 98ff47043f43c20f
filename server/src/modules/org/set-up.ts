import type { Kysely, Transaction } from 'kysely'
import type { UseEngine } from '../../engines/engine/engine.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Schema } from '../../store/schema.ts'
import { SERVICE } from '../audit/author.ts'
import { insertSavedQueries } from '../editor/saved-queries-store.ts'
import { makeSamples } from '../samples/make-samples.ts'
import { SAVED_QUERIES } from '../samples/saved-queries.ts'
import { findUser } from '../user/people-store.ts'
import { type AccountRow, findAccount, pendingAccounts, updateAccount } from './account-store.ts'
import { moveAccount } from './move-account.ts'

/** How far a new account is. */
export type SetUpStep = 'engine' | 'samples' | 'done'

/** After as many failures in a row the operator has to look. */
const ATTEMPTS = 5
const AT_ONCE = 20

export interface SetUpOptions {
  readonly db: Kysely<Schema>
  readonly useServiceEngine: UseEngine
  readonly clock: Clock
  readonly log: Log
  /** In the transaction that opens the account. */
  readonly whenOpened: (trx: Transaction<Schema>, account: AccountRow) => Promise<void>
}

/**
 * Creates the engine's folder of a new account and, on request, the sample data. After a crash it continues with the
 * same step.
 */
export function createSetUp({ db, useServiceEngine, clock, log, whenOpened }: SetUpOptions) {
  const failures = new Map<string, number>()

  const takeStep = async (row: AccountRow): Promise<void> => {
    await useServiceEngine(row.account_id, async () => undefined)
    if (row.set_up === 'engine' && row.wants_samples) {
      await updateAccount(db, row.account_id, { set_up: 'samples' })
      return takeStep({ ...row, set_up: 'samples' })
    }
    if (row.set_up === 'samples') await useServiceEngine(row.account_id, makeSamples)
    await db.transaction().execute(async (trx) => {
      if (row.set_up === 'samples') await insertQueriesOfCreator(trx, row)
      const opened = await moveAccount(trx, {
        accountId: row.account_id,
        move: 'finish set-up',
        by: SERVICE,
        at: clock.now(),
      })
      await whenOpened(trx, opened)
    })
  }

  async function insertQueriesOfCreator(trx: Transaction<Schema>, row: AccountRow): Promise<void> {
    const creator = await findUser(trx, row.account_id, row.creator)
    if (!creator) return
    const owner = { accountId: row.account_id, userId: creator.user_id, at: clock.now() }
    await insertSavedQueries(trx, owner, SAVED_QUERIES)
  }

  async function setUp(row: AccountRow): Promise<void> {
    const accountId = row.account_id
    try {
      await takeStep(row)
      failures.delete(accountId)
    } catch (error) {
      const count = (failures.get(accountId) ?? 0) + 1
      failures.set(accountId, count)
      log.warn({ err: error, accountId, attempt: count }, 'an account could not be set up')
      if (count < ATTEMPTS) return
      failures.delete(accountId)
      await db
        .transaction()
        .execute((trx) => moveAccount(trx, { accountId, move: 'fail set-up', by: SERVICE, at: clock.now() }))
    }
  }

  return {
    /** Every account that waits for it, one after the other. */
    async setUpPending(): Promise<string[]> {
      const rows = await pendingAccounts(db, AT_ONCE)
      for (const row of rows) await setUp(row)
      return rows.map((row) => row.account_id)
    },

    async stepOf(accountId: string): Promise<SetUpStep | undefined> {
      const row = await findAccount(db, accountId)
      return row?.set_up as SetUpStep | undefined
    },
  }
}
