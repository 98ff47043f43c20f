import type { Actor } from '../../../kernel/actor.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { RunFile } from '../file-runs.ts'
import type { TaskRow, TaskStore } from '../task-store.ts'
import { NO_COUNTS } from './live-load.ts'
import { endingOf, streamRequestOf } from './stream-runs.ts'
import type { StreamStore } from './stream-store.ts'

export interface StreamRecoveryParts {
  readonly store: Pick<StreamStore, 'left' | 'end'>
  readonly tasks: Pick<TaskStore, 'find'>
  readonly runFile: RunFile
  /** The statements of a request that was sent before. */
  readonly findRequest: (accountId: string, requestId: string) => Promise<readonly { readonly sql: string }[]>
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly isLive: (taskId: string) => boolean
  /** The same for one that is a transaction. */
  readonly settleTransaction: (row: TaskRow) => Promise<void>
  readonly clock: Clock
  readonly log: Log
}

const MOST_AT_ONCE = 1_000

const NEVER_RAN = 'The service ended before all data had arrived. Nothing was loaded; send it again.'

/**
 * What became of loads that a server has left: one whose statement was never accepted did nothing; of the others the
 * engine has noted, in the same transaction as their rows, that they took effect.
 */
export function createStreamRecovery(parts: StreamRecoveryParts) {
  const { store, tasks, runFile, findRequest, actorOf, isLive, clock, log } = parts

  async function settle(row: TaskRow): Promise<void> {
    if (row.label === null || isLive(row.task_id)) return
    if (row.stage !== null) return parts.settleTransaction(row)
    const { task_id: taskId, account_id: accountId, size_bytes: sizeBytes, request_id: requestId } = row
    const [sent] = requestId === null ? [] : await findRequest(accountId, requestId)
    if (!sent || requestId === null) {
      const end = {
        taskId,
        state: 'failed' as const,
        error: NEVER_RAN,
        sizeBytes,
        queryId: null,
        counts: null,
      }
      return void (await store.end(end, clock.now()))
    }
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
    const isAlone = requestId === streamRequestOf(taskId)
    const rows = isAlone ? ending.rows : null
    const counts = rows === null ? null : { ...NO_COUNTS, total: rows, loaded: rows }
    const { state, queryId } = ending
    await store.end(
      { taskId, state, error: state === 'finished' ? '' : ending.message, sizeBytes, queryId, counts },
      clock.now(),
    )
  }

  return {
    async settle(accountId: string, taskId: string): Promise<void> {
      const row = await tasks.find(accountId, taskId)
      if (row) await settle(row)
    },

    async settleLeft(): Promise<void> {
      for (const row of await store.left(MOST_AT_ONCE))
        await settle(row).catch((error: unknown) =>
          log.warn({ err: error, taskId: row.task_id }, 'the state of a stream load is not known yet'),
        )
    },
  }
}
