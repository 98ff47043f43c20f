import { LIMITS } from '@boathouse/contract'
import type { Schedule } from '@boathouse/sql'
import type { Transaction } from 'kysely'
import { type Actor, refuseNarrowedKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { requireShare } from '../../kernel/share.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import { requireKeptRoom } from '../quota/room.ts'
import type { Schema } from '../../store/schema.ts'
import { userAuthor } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { timesOf } from './refresh-times.ts'
import type { ScheduledTask } from './scheduled-store.ts'
import { requireWriting, type NewTask } from './submitted.ts'
import type { Who } from './task-parts.ts'
import { type ScheduledParts, nextTime, createScheduledRuns } from './scheduled-runs.ts'

/** Characters of its text in the audit log. */
const AUDITED_TEXT = 2_000

export type { ScheduledTask }

const SHARE = {
  mostOfAccount: LIMITS.scheduledTasksPerAccount,
  mostOfUser: LIMITS.scheduledTasksPerUser,
  what: 'scheduled tasks',
  how: 'Drop one that is no longer needed.',
}

const missing = (name: string) =>
  new AppError(
    'NotFound',
    `There is no scheduled task ${name} that you may see, or it was dropped. SHOW TASKS lists them.`,
  )

/** Everyone has their own, an account administrator those of all. */
const seesAll = (actor: Actor): boolean => actor.activeRoles.includes('account_admin')

const inSeconds = (at: Date): Date => new Date(Math.floor(at.getTime() / 1_000) * 1_000)

/** Statements that run on a schedule, each time with the privileges that their user has by then. */
export function createScheduledTasks(parts: ScheduledParts) {
  const { store, transaction, clock } = parts

  async function find(actor: Actor, name: string): Promise<ScheduledTask> {
    const task = await store.find(actor.accountId, name)
    if (!task || (task.user_id !== actor.userId && !seesAll(actor))) throw missing(name)
    return task
  }

  const note = (trx: Transaction<Schema>, who: Who, { task, action, before, after }: Noted): Promise<void> =>
    recordAudit(trx, {
      accountId: task.account_id,
      at: clock.now(),
      by: userAuthor(who),
      action: `task.${action}`,
      object: { type: 'task', id: task.task_id, name: task.name },
      before,
      after,
    })

  return {
    ...createScheduledRuns(parts),

    async submit(who: Who, { name, statement, place }: NewTask, schedule: Schedule): Promise<ScheduledTask> {
      const { accountId, userId } = who.actor
      refuseNarrowedKey(who.actor)
      requireWriting(statement)
      const now = inSeconds(clock.now())
      const times = timesOf({ trigger: 'schedule', ...schedule }, now, 'A task runs')
      const taskId = timeOrderedId()
      const made: Omit<ScheduledTask, 'next_run_at'> = {
        task_id: taskId,
        account_id: accountId,
        name: name === '' ? `task_${taskId.slice(-12)}` : name,
        user_id: userId,
        catalog: place.catalog,
        database: place.database,
        warehouse_id: place.warehouseId,
        definition: statement,
        every_count: schedule.count,
        every_unit: schedule.unit,
        starts_at: times.starts_at,
        paused: false,
        created_at: now,
      }
      const task: ScheduledTask = { ...made, next_run_at: nextTime({ ...made, next_run_at: now }, now) }
      await transaction(async (trx) => {
        requireShare(await store.countAlone(trx, accountId, userId), SHARE)
        if (!(await store.insert(trx, task)))
          throw new AppError(
            'NameTaken',
            `The scheduled task ${task.name} already exists. Drop it first, or choose another name.`,
          )
        await requireKeptRoom(trx, { accountId, userId }, 'tasks')
        // The whole text is with the task.
        const after = { name: task.name, statement: statement.slice(0, AUDITED_TEXT) }
        await note(trx, who, { task, action: 'create', before: null, after })
      })
      return task
    },

    list: (actor: Actor): Promise<ScheduledTask[]> =>
      store.list(actor.accountId, seesAll(actor) ? null : actor.userId, LIMITS.scheduledTasksPerAccount),

    /** A run that has started continues to its end. */
    async pause(who: Who, name: string, paused: boolean): Promise<void> {
      const task = await find(who.actor, name)
      // It runs as the user who scheduled it, so only that user can confirm it.
      if (!paused && task.user_id === who.actor.userId)
        await transaction(async (trx) => {
          await store.bind(trx, task.task_id, null)
          await note(trx, who, { task, action: 'confirm', before: null, after: null })
        })
      if (task.paused === paused) return
      await transaction(async (trx) => {
        const next = paused ? {} : { next_run_at: nextTime(task, clock.now()) }
        await store.pause(trx, task.task_id, { paused, ...next })
        await note(trx, who, {
          task,
          action: paused ? 'pause' : 'resume',
          before: { paused: task.paused },
          after: { paused },
        })
      })
    },

    async drop(who: Who, name: string): Promise<void> {
      const task = await find(who.actor, name)
      await transaction(async (trx) => {
        await store.remove(trx, task.task_id)
        await note(trx, who, { task, action: 'drop', before: { name: task.name }, after: null })
      })
    },
  }
}

interface Noted {
  readonly task: ScheduledTask
  readonly action: string
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
}

export type ScheduledTasks = ReturnType<typeof createScheduledTasks>
