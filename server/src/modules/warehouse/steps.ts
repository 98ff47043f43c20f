import { randomUUID } from 'node:crypto'
import { MESSAGES, type WarehouseAction, type WarehouseSize, type WarehouseState } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import { requireOpenAccount } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Schema } from '../../store/schema.ts'
import type { Compute, Pool } from './compute-port.ts'
import type { EndReason, Metering } from './metering.ts'
import { insertRun } from './run-store.ts'
import { nextState, type WarehouseEvent } from './states.ts'
import {
  type Activity,
  addActivity,
  setWarehouse,
  type WarehouseChange,
  type WarehouseRow,
  type WarehouseStore,
} from './store.ts'

/** Written in the activity list where no person did something. */
export const SERVICE = 'service'

/** Who caused a step, and what it is called in the activity list. */
export interface Cause {
  readonly action: Activity['action']
  readonly actor: string
  readonly detail?: string
  /** Recorded in the audit log once it is done. */
  readonly audit?: Activity['audit']
}

export interface StepOptions {
  readonly db: Kysely<Schema>
  readonly store: WarehouseStore
  readonly compute: Compute
  readonly metering: Metering
  readonly clock: Clock
  /** Throws when nothing may be spent any more. */
  requireBudget(accountId: string, warehouseId: string): Promise<void>
  /** Called after every change that was written. */
  onChanged(warehouse: WarehouseRow): void
}

export const missing = (name = '') =>
  new AppError(
    'NotFound',
    `The warehouse ${name && `${name} `}does not exist, or you may not use it. SHOW WAREHOUSES lists those you may use.`,
  )

const DONE: Readonly<Record<WarehouseAction, string>> = {
  resume: 'resumed',
  suspend: 'suspended',
  resize: 'given another size',
  edit: 'changed',
  delete: 'deleted',
}

/** What follows in this state when someone does this; throws when the state does not allow it. */
export function stateAfter(row: WarehouseRow, action: WarehouseAction): WarehouseState {
  const next = nextState(row.status as WarehouseState, action)
  if (next !== null) return next
  const hint = row.status === 'Unknown' ? ' Its engine does not answer. Suspend it, then resume it.' : ''
  throw new AppError(
    'Conflict',
    `The warehouse ${row.name} cannot be ${DONE[action]} now: it is ${row.status}.${hint}`,
  )
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What statements that run in a warehouse get when it is stopped. */
function stopped(name: string, reason: EndReason): AppError {
  if (reason === 'account frozen') return new AppError('AccountFrozen', MESSAGES.accountFrozen)
  const word = reason === 'deleted' ? 'deleted' : 'suspended'
  return new AppError('NoRunningWarehouse', `The warehouse ${name} was ${word}.`)
}

/** Each step changes compute and records the change. The caller must hold the lock of the warehouse. */
export function createSteps({ db, store, compute, metering, clock, requireBudget, onChanged }: StepOptions) {
  const line = (cause: Cause, failure?: string): Activity => ({
    action: cause.action,
    actor: cause.actor,
    detail: failure ?? cause.detail ?? '',
    result: failure === undefined ? 'Success' : 'Failed',
    at: clock.now(),
    ...(cause.audit && failure === undefined ? { audit: cause.audit } : {}),
  })

  function announced(row: WarehouseRow | undefined): WarehouseRow {
    if (!row) throw missing()
    onChanged(row)
    return row
  }

  function foundOf(warehouseId: string): WarehouseEvent {
    if (!compute.isRunning(warehouseId)) return 'found stopped'
    return compute.isSilent(warehouseId) ? 'engine silent' : 'found running'
  }

  const write = async (row: WarehouseRow, change: WarehouseChange): Promise<WarehouseRow> =>
    announced(await store.set(row.warehouse_id, change))

  const conclude = async (row: WarehouseRow, change: WarehouseChange, activity: Activity) =>
    announced(await store.conclude(row, change, activity))

  /** The status, the run and the activity that records both, or none of them. */
  const writeStart = (row: WarehouseRow, runId: string, cause: Cause) =>
    db.transaction().execute(async (trx) => {
      const now = clock.now()
      const { account_id, warehouse_id, name: warehouse_name, size } = row
      const started = await setWarehouse(trx, warehouse_id, { status: 'Running', resumed_at: now })
      await insertRun(trx, { run_id: runId, account_id, warehouse_id, warehouse_name, size, started_at: now })
      await addActivity(trx, row, line(cause))
      return started
    })

  return {
    line,
    announced,
    write,
    conclude,

    /** The warehouse as it is. Under its lock no step is under way: a state that says otherwise was left by a crash. */
    async current({ account_id, warehouse_id, name }: WarehouseRow): Promise<WarehouseRow> {
      const row = await store.find(account_id, warehouse_id)
      if (!row) throw missing(name)
      const status = nextState(row.status as WarehouseState, foundOf(warehouse_id))
      return status === null ? row : write(row, { status })
    },

    async bringUp(row: WarehouseRow, cause: Cause): Promise<WarehouseRow> {
      const { account_id: accountId, warehouse_id: id, name } = row
      const runId = randomUUID()
      try {
        // Under the lock: a freeze of the account is written before it waits for the lock, so it is not missed here.
        requireOpenAccount((await store.account(accountId)).shell_state)
        await requireBudget(accountId, id)
      } catch (error) {
        await write(row, { status: 'Suspended' })
        throw error
      }
      try {
        const { engine } = row
        await compute.start({ accountId, id, name, size: row.size as WarehouseSize, engine, runId })
      } catch (error) {
        const reason = messageOf(error)
        await conclude(row, { status: 'Failed' }, line(cause, reason))
        throw new AppError('Unavailable', `The warehouse ${name} did not start. ${reason}`, { cause: error })
      }
      try {
        return announced(await writeStart(row, runId, cause))
      } catch (error) {
        await compute.stop(id, new AppError('Unavailable', `The warehouse ${name} did not start.`))
        throw error
      } finally {
        // Lost before its run was written: the loss is recorded in the next turn, the end must not be forgotten.
        if (!compute.isRunning(id)) metering.ended(runId, { at: clock.now(), reason: 'crashed' })
      }
    },

    /** `refusal`: the error of the statements that run in it. */
    async bringDown(
      { warehouse_id, name }: WarehouseRow,
      reason: EndReason,
      refusal?: AppError,
    ): Promise<void> {
      const run = compute.running().find(({ id }) => id === warehouse_id)
      await compute.stop(warehouse_id, refusal ?? stopped(name, reason))
      if (run) metering.ended(run.runId, { at: clock.now(), reason })
      await metering.count()
    },

    /** WH-30, WH-40, WH-41: statements run at the old size until the engine has the new one, some milliseconds later. */
    async scale(row: WarehouseRow, to: { run: Pool; size: WarehouseSize; cause: Cause }) {
      const { run, size, cause } = to
      const runId = randomUUID()
      try {
        await compute.resize(run.id, { size, runId })
        await metering.resize(run.runId, { runId, size })
      } catch (error) {
        const isRunning = compute.isRunning(run.id)
        const hasChanged = compute.running().some(({ id, size: has }) => id === run.id && has !== run.size)
        if (hasChanged) await compute.resize(run.id, { size: run.size, runId: run.runId })
        const reason = messageOf(error)
        // Of one that ended with its engine, the loss is recorded in the next turn.
        await conclude(row, isRunning ? { status: 'Running' } : {}, line(cause, reason))
        throw new AppError('Unavailable', `The warehouse ${row.name} was not resized. ${reason}`, {
          cause: error,
        })
      }
      return conclude(row, { status: 'Running', size }, line(cause))
    },
  }
}
