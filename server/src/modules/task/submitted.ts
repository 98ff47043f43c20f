import { LIMITS } from '@boathouse/contract'
import { readStatement } from '@boathouse/sql'
import type { Transaction } from 'kysely'
import { type Actor, refuseNarrowedKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { requireShare } from '../../kernel/share.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import { requireKeptRoom } from '../quota/room.ts'
import type { Schema } from '../../store/schema.ts'
import type { RunRow, RunStore } from './run-store.ts'
import type { ScheduledStore } from './scheduled-store.ts'
import { checkOf } from './task-checks.ts'
import type { TaskRuns } from './runs.ts'

export interface SubmittedParts {
  readonly runStore: RunStore
  readonly runs: TaskRuns
  readonly scheduledStore: Pick<ScheduledStore, 'boundOf' | 'bind'>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  readonly clock: Clock
}

export interface NewTask {
  /** Empty: it is given one. */
  readonly name: string
  readonly statement: string
  readonly place: {
    readonly catalog: string
    readonly database: string | null
    readonly warehouseId: string | null
  }
}

const MOST_LOST = 1_000

export function requireWriting(statement: string): void {
  const { kind, class: kindClass } = readStatement(statement)
  if (kindClass === 'writes') return
  throw new AppError(
    'QueryFailed',
    `A task is a statement that writes, such as INSERT or CREATE TABLE … AS; ${kind.replaceAll('-', ' ').toUpperCase()} is none.`,
  )
}

const SHARE = {
  mostOfAccount: LIMITS.tasksAtOnce,
  mostOfUser: LIMITS.tasksAtOncePerUser,
  what: 'tasks at once',
  how: 'Wait for some to end.',
}

/** Statements that run once in the background, so that their user need not wait. */
export function createSubmittedTasks({ runStore, runs, scheduledStore, transaction, clock }: SubmittedParts) {
  async function runToEnd(run: RunRow): Promise<void> {
    const check = checkOf(scheduledStore, run)
    const end = await runs.run(run, check ? { refresh: check.refresh } : {})
    if (end.state === 'open') return
    await transaction(async (trx) => {
      const bound = check?.bound()
      if (check && bound && end.state === 'success') await scheduledStore.bind(trx, check.taskId, bound)
      await runStore.end(trx, run.run_id, {
        state: end.state,
        query_id: end.queryId,
        row_count: end.state === 'success' ? end.rows : null,
        error: end.state === 'failed' ? end.error : '',
        ended_at: clock.now(),
      })
      await runStore.keepNewest(trx, run)
    })
  }

  const inBackground = (run: RunRow): void => runs.inBackground(runToEnd(run), run.run_id)

  return {
    begin: inBackground,

    /** Recorded first: what was acknowledged runs, even if this server ends. */
    async submit(actor: Actor, { name, statement, place }: NewTask): Promise<RunRow> {
      refuseNarrowedKey(actor)
      requireWriting(statement)
      const runId = timeOrderedId()
      const run: RunRow = {
        run_id: runId,
        account_id: actor.accountId,
        view_id: null,
        task_id: null,
        task_name: name === '' ? `task_${runId.slice(-12)}` : name,
        user_id: actor.userId,
        started_by: actor.user,
        reason: 'submit',
        catalog: place.catalog,
        database: place.database,
        warehouse_id: place.warehouseId,
        definition: statement,
        state: 'pending',
        query_id: null,
        row_count: null,
        error: '',
        created_at: clock.now(),
        ended_at: null,
      }
      await transaction(async (trx) => {
        requireShare(await runStore.countOpenAlone(trx, actor.accountId, actor.userId), SHARE)
        await runStore.insert(trx, run)
        await requireKeptRoom(trx, actor, 'tasks')
      })
      inBackground(run)
      return run
    },

    /** Those of somebody's own; administrators of the account see all. */
    list: (actor: Actor): Promise<RunRow[]> =>
      runStore.submitted(actor.accountId, actor.activeRoles.includes('account_admin') ? null : actor.userId),

    /** What no server sees to its end. */
    async recover(): Promise<void> {
      for (const run of await runStore.open(MOST_LOST))
        if (run.view_id === null && !runs.isRunning(run.run_id)) inBackground(run)
    },
  }
}

export type SubmittedTasks = ReturnType<typeof createSubmittedTasks>
