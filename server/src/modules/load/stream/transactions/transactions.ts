import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../../../../kernel/actor.ts'
import { AppError } from '../../../../kernel/app-error.ts'
import type { Queries } from '../../../query/service.ts'
import type { TaskRow } from '../../task-store.ts'
import { messageOf, type StreamSender } from '../live-load.ts'
import type { StreamOptions } from '../stream-options.ts'
import type { BegunPart, PartArrivals } from './arriving-parts.ts'
import type { LiveTransactions } from './live-transactions.ts'
import {
  answerIn,
  labelOf,
  NoTransaction,
  invalidState,
  type TransactionAnswer,
} from './transaction-answer.ts'
import type { EndTransaction } from './transaction-endings.ts'
import type { TransactionNames } from './transaction-options.ts'
import type { TransactionRecovery } from './transaction-recovery.ts'
import type { Asked, StepParts, TransactionSteps } from './transaction-steps.ts'

export interface TransactionParts extends Pick<StepParts, 'store'> {
  readonly arrivals: PartArrivals
  readonly steps: TransactionSteps
  readonly end: EndTransaction
  readonly settle: TransactionRecovery['settle']
  readonly live: LiveTransactions
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly queries: Pick<Queries, 'kill'>
}

const STOP_AGAIN_MS = 200

/** A statement that is not accepted yet, or over by now, cannot be stopped. */
function passOver(error: unknown): void {
  if (!(error instanceof AppError)) throw error
}

const ROLLED_BACK = 'It was rolled back by its program.'

/** Loads of several parts under one label, which their programs feed, prepare, commit and roll back. */
export function createTransactions(parts: TransactionParts) {
  const { store, live, steps, end, settle } = parts

  /** As it is now: what a server has left in the middle is settled first. */
  async function own(actor: Actor, { catalog, database, label }: TransactionNames): Promise<TaskRow> {
    const place = { accountId: actor.accountId, catalog, database }
    const before = await store.newest(place, label)
    if (before && before.user_id === actor.userId && before.stage !== null) await settle(before)
    const row = before && (await store.find(before.task_id))
    if (!row || row.user_id !== actor.userId || row.active_at === null) throw new NoTransaction()
    return row
  }

  /** Ends what runs of it. */
  async function stopStep(row: TaskRow): Promise<void> {
    const step = live.get(row.task_id)?.step
    if (!step) return
    const owner = await parts.actorOf(row.user_id)
    const over = step.answer.then(
      () => true,
      () => true,
    )
    // Its statement may not have been accepted yet.
    for (let isOver = false; !isOver;) {
      if (owner && step.requestId !== null) await parts.queries.kill(owner, step.requestId).catch(passOver)
      isOver = await Promise.race([over, sleep(STOP_AGAIN_MS, false)])
    }
  }

  async function abort(row: TaskRow, error: string): Promise<void> {
    await end(row, { state: 'cancelled', error, from: ['open', 'preparing', 'prepared'] })
  }

  /** A part that is refused or cut off ends its transaction: nobody commits the rest by mistake. */
  async function failedBy(row: TaskRow, error: unknown): Promise<never> {
    await end(row, { state: 'failed', error: messageOf(error), from: ['open'] })
    throw error
  }

  return {
    /** Judges a part before its body comes. Where it throws, its transaction is over, if it is the sender's. */
    async load(sender: StreamSender, names: TransactionNames, read: () => StreamOptions): Promise<BegunPart> {
      const actor = await sender.now()
      const row = await own(actor, names)
      if (row.stage !== 'open') throw invalidState(row)
      try {
        const { catalog, database, table } = names
        if (table === null) throw new AppError('BadInput', 'table: Name the table that this part goes into.')
        const begun = await parts.arrivals.begin(row, {
          actor,
          target: { catalog, database, table },
          options: read(),
        })
        return { take: (bytes) => begun.take(bytes).catch((error: unknown) => failedBy(row, error)) }
      } catch (error) {
        return failedBy(row, error)
      }
    },

    async prepare(
      sender: StreamSender,
      names: TransactionNames,
      preparedSeconds: number,
    ): Promise<TransactionAnswer> {
      const actor = await sender.now()
      for (;;) {
        const row = await own(actor, names)
        const running = live.get(row.task_id)?.step
        if (running?.does === 'prepare') return running.answer
        if (running) await running.answer.catch(() => undefined)
        else if (row.stage === 'prepared') return answerIn(row)
        else if (row.stage === 'open') {
          const asked: Asked = { row, actor, sender }
          return live.step(row.task_id, 'prepare', (step) => steps.prepare(asked, step, preparedSeconds))
        } else throw invalidState(row)
      }
    },

    /** Asked again, it is answered in the same way. */
    async commit(sender: StreamSender, names: TransactionNames): Promise<TransactionAnswer> {
      const actor = await sender.now()
      for (;;) {
        const row = await own(actor, names)
        const running = live.get(row.task_id)?.step
        if (running?.does === 'commit') return running.answer
        if (running) await running.answer.catch(() => undefined)
        else if (row.state === 'finished') return answerIn(row)
        else if (row.stage === 'open' || row.stage === 'prepared') {
          const asked: Asked = { row, actor, sender }
          return live.step(row.task_id, 'commit', (step) => steps.commit(asked, step))
        } else throw invalidState(row)
      }
    },

    async rollback(sender: StreamSender, names: TransactionNames): Promise<TransactionAnswer> {
      const actor = await sender.now()
      const row = await own(actor, names)
      await stopStep(row)
      await abort(row, ROLLED_BACK)
      const now = (await store.find(row.task_id)) ?? row
      if (now.state === 'failed' || now.state === 'cancelled') return labelOf(now)
      throw invalidState(now)
    },

    /** For CANCEL LOAD; false when it is not a transaction that is under way. */
    async cancel(taskId: string): Promise<boolean> {
      const row = await store.find(taskId)
      if (!row || row.stage === null) return false
      await stopStep(row)
      await abort(row, 'The load was cancelled. Nothing was loaded.')
      return true
    },

    progressOf: (taskId: string): number | null => live.get(taskId)?.step?.progress ?? null,
  }
}
