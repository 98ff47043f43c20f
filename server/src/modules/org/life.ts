import { LIFE_CYCLE_STATES } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { UseEngine } from '../../engines/engine/engine.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Schema } from '../../store/schema.ts'
import { type Author, SERVICE } from '../audit/author.ts'
import {
  type AccountRow,
  expiredAccounts,
  findAccount,
  notActiveAmong,
  resumingAccounts,
} from './account-store.ts'
import { createDeletion, type DeletionOptions } from './deletion.ts'
import { moveAccount, type MoveOrder } from './move-account.ts'
import { createSetUp } from './set-up.ts'

const AT_ONCE = 20

export interface AccountLifeOptions {
  readonly db: Kysely<Schema>
  readonly clock: Clock
  readonly log: Log
  readonly warehouses: {
    runningAccounts(): readonly string[]
    suspendFrozen(accountId: string): Promise<void>
  }
  readonly useServiceEngine: UseEngine
  readonly removeData: (accountId: string) => Promise<void>
  /** Called after the states of these accounts have changed. */
  readonly onMoved: (accountIds: readonly string[]) => void
  readonly beforeDeleted: DeletionOptions['beforeDeleted']
  /** In the transaction that opens a new account. */
  readonly whenOpened?: (trx: Transaction<Schema>, account: AccountRow) => Promise<void>
}

/**
 * What happens to accounts automatically. A state is written first; a job that looks for that state does what follows
 * from it, so that a crash in between delays it and loses nothing.
 */
export function createAccountLife(options: AccountLifeOptions) {
  const { db, clock, log, warehouses, useServiceEngine, removeData, onMoved } = options
  const suspendWarehouses = (accountId: string) => warehouses.suspendFrozen(accountId)
  const deletion = createDeletion({
    db,
    clock,
    suspendWarehouses,
    removeData,
    beforeDeleted: options.beforeDeleted,
  })
  const setUp = createSetUp({
    db,
    useServiceEngine,
    clock,
    log,
    whenOpened: options.whenOpened ?? (async () => undefined),
  })

  async function move(order: Omit<MoveOrder, 'at'>): Promise<AccountRow> {
    const row = await db.transaction().execute((trx) => moveAccount(trx, { ...order, at: clock.now() }))
    onMoved([order.accountId])
    return row
  }

  const stateOf = async (accountId: string): Promise<number | undefined> =>
    (await findAccount(db, accountId))?.state

  async function finishResume(accountId: string): Promise<void> {
    try {
      await useServiceEngine(accountId, async () => undefined)
    } catch (error) {
      log.error({ err: error, accountId }, 'an account cannot be resumed yet: its engine does not start')
      if ((await stateOf(accountId)) === LIFE_CYCLE_STATES.Available)
        await move({ accountId, move: 'fail resume', by: SERVICE })
      return
    }
    await move({ accountId, move: 'finish resume', by: SERVICE })
  }

  async function suspendFrozen(): Promise<void> {
    const running = warehouses.runningAccounts()
    if (running.length === 0) return
    const frozen = await notActiveAmong(db, running)
    await Promise.all(frozen.map((accountId) => warehouses.suspendFrozen(accountId)))
  }

  async function finishResumes(): Promise<void> {
    for (const accountId of await resumingAccounts(db, AT_ONCE)) await finishResume(accountId)
  }

  async function releaseExpired(): Promise<void> {
    for (const accountId of await expiredAccounts(db, clock.now(), AT_ONCE))
      await move({ accountId, move: 'release', by: SERVICE })
  }

  async function setUpPending(): Promise<void> {
    onMoved(await setUp.setUpPending())
  }

  return {
    setUpStepOf: setUp.stepOf,

    /** Of another region, whose server has deleted it. */
    async deleteGone(accountId: string): Promise<void> {
      await deletion.deleteGone(accountId)
      onMoved([accountId])
    },

    freeze: (accountId: string, by: Author) => move({ accountId, move: 'freeze', by, reason: 'operator' }),
    approve: (accountId: string, by: Author) => move({ accountId, move: 'approve', by }),
    reject: (accountId: string, by: Author) => move({ accountId, move: 'reject', by }),
    release: (accountId: string, by: Author) => move({ accountId, move: 'release', by }),

    /** Reverts what keeps the account from being used: a freeze, a release, a set-up that failed. */
    async resume(accountId: string, by: Author): Promise<AccountRow> {
      const state = await stateOf(accountId)
      if (state === LIFE_CYCLE_STATES.Deleting) return move({ accountId, move: 'restore', by })
      if (state === LIFE_CYCLE_STATES.Failed) return move({ accountId, move: 'retry set-up', by })
      return move({ accountId, move: 'resume', by })
    },

    /** The jobs, in the order in which an account goes through them; one that fails does not keep the others. */
    async advance(): Promise<void> {
      const steps = {
        suspendFrozen,
        setUpPending,
        finishResumes,
        releaseExpired,
        deleteDue: deletion.deleteDue,
      }
      for (const [step, run] of Object.entries(steps))
        try {
          await run()
        } catch (error) {
          log.error({ err: error, step }, 'a step in the life of accounts failed; it is tried again')
        }
    },
  }
}

export type AccountLife = ReturnType<typeof createAccountLife>
