import { AppError } from '../../../../kernel/app-error.ts'
import type { TaskRow } from '../../task-store.ts'
import { endingOf } from '../stream-runs.ts'
import type { StreamRecoveryParts } from '../stream-recovery.ts'
import type { LiveTransaction, LiveTransactions } from './live-transactions.ts'
import { countsAfter } from './transaction-answer.ts'
import type { EndTransaction } from './transaction-endings.ts'
import type { TransactionStore } from './transaction-store.ts'

export interface TransactionRecoveryParts extends Pick<
  StreamRecoveryParts,
  'runFile' | 'findRequest' | 'actorOf' | 'clock' | 'log'
> {
  readonly store: Pick<TransactionStore, 'under' | 'backToPrepared'>
  readonly end: EndTransaction
  readonly live: LiveTransactions
}

const MOST_AT_ONCE = 1_000

const LEFT = 'The service ended before it was prepared. Begin it again.'
const NEVER_RAN = 'The service ended before it was committed. Begin it again.'

/** Why it is over now; null while it is not. */
function expiry(row: TaskRow, one: LiveTransaction | undefined, now: Date): string | null {
  if (row.expires_at !== null && row.expires_at <= now)
    return row.prepared_at === null
      ? 'It took longer than its timeout.'
      : 'It was prepared and not committed in time.'
  if (row.stage !== 'open' || row.idle_seconds === null || (one && one.arriving.size > 0)) return null
  const idleMs = now.getTime() - (row.active_at ?? row.created_at).getTime()
  return idleMs >= row.idle_seconds * 1_000 ? `No data came for ${row.idle_seconds} seconds.` : null
}

/** What becomes of transactions whose time is over, or which a server has left in the middle of a step. */
export function createTransactionRecovery(parts: TransactionRecoveryParts) {
  const { store, end, live, runFile, findRequest, actorOf, clock, log } = parts

  /** Its commit took no effect, for sure. */
  async function undone(row: TaskRow, why: string): Promise<void> {
    if (row.prepared_at !== null) await store.backToPrepared(row.task_id, why)
    else await end(row, { state: 'failed', error: why, from: ['committing'] })
  }

  /** A commit whose end nobody has written down: the engine has noted, with the rows, whether it took effect. */
  async function settleCommit(row: TaskRow): Promise<void> {
    const { account_id: accountId, request_id: requestId } = row
    const [sent] = requestId === null ? [] : await findRequest(accountId, requestId)
    if (!sent || requestId === null) return undone(row, NEVER_RAN)
    const actor = await actorOf(row.user_id)
    if (!actor) return
    // It was written down, so that this is answered and never run again.
    const ending = endingOf(
      await runFile(actor, {
        requestId,
        text: sent.sql,
        order: { does: 'stream', reading: row.reading as never, parts: [], isTrial: false },
        catalog: row.catalog_id,
        database: row.database_name,
        warehouseId: row.warehouse_id,
        onAnswer: () => undefined,
      }),
    )
    if (ending.state === 'unknown') return
    if (ending.state !== 'finished') return undone(row, ending.message)
    const { queryId, rows } = ending
    const counts = countsAfter(row, rows)
    await end(row, { state: 'finished', error: '', queryId, counts, from: ['committing'] })
  }

  async function settle(row: TaskRow): Promise<void> {
    const one = live.get(row.task_id)
    if (one?.step) return
    const over = expiry(row, one, clock.now())
    if (row.stage === 'committing') return settleCommit(row)
    if (row.stage === 'prepared') {
      if (over !== null) await end(row, { state: 'failed', error: over, from: ['prepared'] })
      return
    }
    const isLeft = row.stage === 'preparing' || !one?.isOpen
    const why = over ?? (isLeft ? LEFT : null)
    if (why !== null) await end(row, { state: 'failed', error: why, from: ['open', 'preparing'] })
  }

  return {
    /** Where somebody waits for it: what can be found out now is. */
    settle,
    undone,

    async settleLeft(): Promise<void> {
      for (let after: string | null = null; ;) {
        const rows: TaskRow[] = await store.under(after, MOST_AT_ONCE)
        for (const row of rows)
          await settle(row).catch((error: unknown) => {
            const isForeseen = error instanceof AppError
            log[isForeseen ? 'info' : 'warn'](
              { err: error, taskId: row.task_id },
              'the state of a transaction is not known yet',
            )
          })
        if (rows.length < MOST_AT_ONCE) return
        after = rows.at(-1)?.task_id ?? null
      }
    },
  }
}

export type TransactionRecovery = ReturnType<typeof createTransactionRecovery>
