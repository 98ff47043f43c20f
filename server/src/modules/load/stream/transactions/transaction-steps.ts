import type { Actor } from '../../../../kernel/actor.ts'
import { AppError } from '../../../../kernel/app-error.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import type { Log } from '../../../../kernel/log.ts'
import type { TaskRow } from '../../task-store.ts'
import { messageOf, NO_COUNTS, type StreamSender } from '../live-load.ts'
import type { InTurn } from '../places.ts'
import type { RunStream, StreamEnding } from '../stream-runs.ts'
import type { createTargets } from '../stream-target.ts'
import type { Step } from './live-transactions.ts'
import {
  answerIn,
  countsAfter,
  invalidState,
  PartsArriving,
  sumOf,
  type TransactionAnswer,
  TransactionFailed,
} from './transaction-answer.ts'
import type { EndTransaction } from './transaction-endings.ts'
import type { TransactionRecovery } from './transaction-recovery.ts'
import { partIn, type StagedPart, type Taken, type TransactionStore } from './transaction-store.ts'

export interface StepParts {
  readonly store: TransactionStore
  readonly end: EndTransaction
  readonly undone: TransactionRecovery['undone']
  readonly findTarget: ReturnType<typeof createTargets>
  readonly run: RunStream
  readonly inTurn: InTurn
  readonly clock: Clock
  readonly log: Log
}

/** Who asks for a step of which transaction. */
export interface Asked {
  readonly row: TaskRow
  readonly actor: Actor
  readonly sender: StreamSender
}

const NOTHING: StreamEnding = {
  state: 'finished',
  message: '',
  queryId: '',
  counts: [],
  rows: 0,
  isUndone: false,
}

/** As a whole: nothing of it ran. */
const REFUSED: StreamEnding = { ...NOTHING, state: 'failed', counts: null, rows: null, isUndone: true }

const NOT_KNOWN =
  'The service cannot say yet whether the transaction is committed. Ask to commit it again to find out.'

const STILL_PREPARED = 'The transaction is still prepared: commit it again, or roll it back.'

/** Preparing and committing: the two steps that read what was sent. */
export function createTransactionSteps(parts: StepParts) {
  const { store, end, undone, findTarget, run, inTurn, clock, log } = parts

  /** Privileges may have been revoked since the parts came. */
  async function requireAllowed({ row, actor }: Asked): Promise<void> {
    const { catalog, database_name: database, warehouse_name: warehouse } = row
    for (const table of row.tables ?? []) await findTarget(actor, { catalog, database, table }, warehouse)
  }

  async function found(taken: Taken, { row }: Asked) {
    if (taken === 'arriving') throw new PartsArriving()
    if (taken !== 'moved') return taken
    throw invalidState((await store.find(row.task_id)) ?? row)
  }

  /** As one statement of its sender; a trial loads everything and takes it back. */
  async function read(
    { row, actor, sender }: Asked,
    step: Step,
    { parts: staged, isTrial }: { readonly parts: readonly StagedPart[]; readonly isTrial: boolean },
  ): Promise<StreamEnding> {
    if (staged.length === 0) return NOTHING
    const { catalog, database_name: database, warehouse_id: id, warehouse_name: name } = row
    const place = { catalog, database }
    const requestId = row.request_id ?? ''
    step.requestId = requestId
    const sent = inTurn(actor, () =>
      run(actor, {
        requestId,
        label: row.label ?? '',
        target: { table: { ...place, name: row.table_name }, warehouse: { id, name } },
        parts: staged.map((part) => partIn(part, place)),
        isTrial,
        sender,
        onProgress: (percentage) => (step.progress = percentage),
      }),
    )
    return sent.catch((error: unknown) => {
      if (!(error instanceof AppError)) log.error({ err: error, label: row.label }, 'a transaction failed')
      return { ...REFUSED, message: messageOf(error) }
    })
  }

  async function failed({ row }: Asked, ending: StreamEnding, from: 'preparing' | 'committing') {
    const counts = { ...sumOf(ending.counts ?? []), loaded: 0 }
    const { message: error, queryId } = ending
    const state = ending.state === 'cancelled' ? 'cancelled' : 'failed'
    await end(row, { state, error, queryId, counts: ending.counts ? counts : null, from: [from] })
    return new TransactionFailed(error, counts, counts.rejected.length > 0 ? row.task_id : null)
  }

  return {
    /** Reads all rows and takes them back: what is prepared has been seen to fit. A failure ends the transaction. */
    async prepare(asked: Asked, step: Step, preparedSeconds: number): Promise<TransactionAnswer> {
      await requireAllowed(asked)
      const { row, parts: staged } = await found(
        await store.prepare(asked.row.task_id, (attempt) => `prepare-${asked.row.task_id}-${attempt}`),
        asked,
      )
      const now = { ...asked, row }
      const ending = await read(now, step, { parts: staged, isTrial: true })
      if (ending.state !== 'finished') throw await failed(now, ending, 'preparing')
      const counts = sumOf(ending.counts ?? [])
      const at = clock.now()
      const expiresAt = new Date(at.getTime() + preparedSeconds * 1_000)
      const isPrepared = await store.prepared(
        { taskId: row.task_id, counts, queryId: ending.queryId || null },
        { at, expiresAt },
      )
      const after = (await store.find(row.task_id)) ?? row
      if (!isPrepared) throw invalidState(after)
      return answerIn(after)
    },

    /** Loads all rows in one transaction of the engine. One that was prepared can be committed again if it fails. */
    async commit(asked: Asked, step: Step): Promise<TransactionAnswer> {
      await requireAllowed(asked)
      const { row, parts: staged } = await found(
        await store.commit(asked.row.task_id, (attempt) => `commit-${asked.row.task_id}-${attempt}`),
        asked,
      )
      const now = { ...asked, row }
      const ending = await read(now, step, { parts: staged, isTrial: false })
      const { state, queryId, rows, message } = ending
      if (state === 'unknown') throw new AppError('QueryFailed', NOT_KNOWN)
      if (state !== 'finished' && row.prepared_at === null) throw await failed(now, ending, 'committing')
      if (state !== 'finished') {
        await undone(row, message)
        throw new AppError('QueryFailed', `${message} ${STILL_PREPARED}`)
      }
      const counts = ending.counts ? sumOf(ending.counts) : countsAfter(row, rows)
      // The engine has the last word: what cannot be written down now is found out later.
      await end(row, { state: 'finished', error: '', queryId, counts, from: ['committing'] }).catch(
        (error: unknown) =>
          log.error({ err: error, label: row.label }, 'the end of a commit was not written'),
      )
      // Committed is committed, also when its row cannot be read.
      const after = await store.find(row.task_id).catch((error: unknown) => {
        log.warn({ err: error, label: row.label }, 'a commit was not read back')
      })
      return after?.state === 'finished'
        ? answerIn(after)
        : { ...answerIn(row), counts: { ...NO_COUNTS, ...counts } }
    },
  }
}

export type TransactionSteps = ReturnType<typeof createTransactionSteps>
