import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor } from '../../../../kernel/actor.ts'
import { AppError } from '../../../../kernel/app-error.ts'
import { foldedName } from '../../../../kernel/same-name.ts'
import type { Authority } from '../../../access/authority.ts'
import type { Queries } from '../../../query/service.ts'
import type { TaskRow } from '../../task-store.ts'
import { seesAll } from '../../tasks.ts'
import type { OwnerOfLabel } from '../labels.ts'
import { messageOf, type StreamSender } from '../live-load.ts'
import { RECORD_READING } from '../stream-format.ts'
import type { StreamOptions } from '../stream-options.ts'
import type { FindWarehouse, FoundTarget } from '../stream-target.ts'
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
import type { BeginOptions, TransactionNames } from './transaction-options.ts'
import type { TransactionRecovery } from './transaction-recovery.ts'
import type { Asked, StepParts, TransactionSteps } from './transaction-steps.ts'
import type { MostOpen } from './transaction-store.ts'

export interface TransactionParts extends Pick<StepParts, 'store' | 'findTarget' | 'clock'> {
  readonly arrivals: PartArrivals
  readonly steps: TransactionSteps
  readonly end: EndTransaction
  readonly settle: TransactionRecovery['settle']
  readonly live: LiveTransactions
  readonly ownerOf: OwnerOfLabel
  readonly findWarehouse: FindWarehouse
  readonly authority: Pick<Authority, 'visible'>
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly queries: Pick<Queries, 'kill'>
  readonly mostOpen?: MostOpen | undefined
}

/** What is known of a label. */
export interface LabelState {
  readonly state: 'PREPARE' | 'PREPARED' | 'VISIBLE' | 'ABORTED' | 'UNKNOWN'
  readonly reason: string
}

const MOST_OPEN: MostOpen = { ofUser: 256, ofAccount: 1_024 }
const STOP_AGAIN_MS = 200

const ROLLED_BACK = 'It was rolled back by its program.'

/** Loads of several parts under one label, which their programs begin, prepare, commit and roll back. */
export function createTransactions(parts: TransactionParts) {
  const { store, live, steps, end, settle, clock, mostOpen = MOST_OPEN } = parts

  async function targetOf(actor: Actor, asked: BeginOptions): Promise<FoundTarget> {
    const { catalog, database, table, warehouse } = asked
    if (table !== null) return parts.findTarget(actor, { catalog, database, table }, warehouse)
    const seen = await parts.authority.visible(actor, { type: 'database', catalog })
    if (seen !== 'all' && !seen.has(foldedName(database)))
      throw new AppError('NotFound', `There is no database ${database}, or you may not see it.`)
    return { table: { catalog, database, name: '' }, warehouse: await parts.findWarehouse(actor, warehouse) }
  }

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
      if (owner && step.requestId !== null)
        await parts.queries.kill(owner, step.requestId).catch(() => undefined)
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
    async begin(sender: StreamSender, asked: BeginOptions): Promise<TransactionAnswer> {
      const beganAt = performance.now()
      const actor = await sender.now()
      const target = await targetOf(actor, asked)
      const taskId = randomUUID()
      const at = clock.now()
      live.open(taskId)
      try {
        for (;;) {
          const begun = await store.begin(
            {
              taskId,
              accountId: actor.accountId,
              userId: actor.userId,
              userName: actor.user,
              label: asked.label,
              ...target,
              part: { reading: RECORD_READING.json, columns: null },
              requestId: null,
              sizeBytes: 0,
              at,
              expiresAt: new Date(at.getTime() + asked.timeoutSeconds * 1_000),
              idleSeconds: asked.idleSeconds,
              tables: target.table.name ? [target.table.name] : [],
            },
            mostOpen,
          )
          if (typeof begun === 'number')
            return { label: asked.label, transactionId: begun, ms: performance.now() - beganAt }
          if (begun !== 'taken')
            throw new AppError(
              'LimitReached',
              `${mostOpen[begun]} transactions are not over, the maximum of one ${begun === 'ofUser' ? 'user' : 'account'}. Commit some, or roll them back.`,
            )
          const owner = await parts.ownerOf({ accountId: actor.accountId, ...target.table }, asked.label)
          if (owner) throw owner
        }
      } catch (error) {
        live.close(taskId, new Error('The transaction did not begin.'))
        throw error
      }
    },

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

    /** CANCEL LOAD of whoever may; false when it is not a transaction that goes on. */
    async cancel(taskId: string): Promise<boolean> {
      const row = await store.find(taskId)
      if (!row || row.stage === null) return false
      await stopStep(row)
      await abort(row, 'The load was cancelled. Nothing was loaded.')
      return true
    },

    /** Of any load that somebody may see. */
    async stateOf(actor: Actor, { catalog, database, label }: TransactionNames): Promise<LabelState> {
      const row = await store.newest({ accountId: actor.accountId, catalog, database }, label)
      if (!row || (row.user_id !== actor.userId && !seesAll(actor))) return { state: 'UNKNOWN', reason: '' }
      const reason = row.error
      if (row.state === 'finished') return { state: 'VISIBLE', reason }
      if (row.state === 'failed' || row.state === 'cancelled') return { state: 'ABORTED', reason }
      return { state: row.prepared_at === null ? 'PREPARE' : 'PREPARED', reason: '' }
    },

    progressOf: (taskId: string): number | null => live.get(taskId)?.step?.progress ?? null,
  }
}

export type Transactions = ReturnType<typeof createTransactions>
