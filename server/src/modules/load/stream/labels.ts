import type { Clock } from '../../../kernel/clock.ts'
import { LabelTaken, type LiveLoad } from './live-load.ts'
import type { NewStream, StreamStore } from './stream-store.ts'

export interface LabelParts {
  readonly store: Pick<StreamStore, 'insert' | 'byLabel'>
  /** Finds out how a load ended that nobody runs any more. */
  readonly settle: (accountId: string, taskId: string) => Promise<void>
  readonly isLive: (taskId: string) => boolean
  readonly clock: Clock
}

/** What is written down of a load before it runs. */
const newStream = (load: LiveLoad, at: Date): NewStream => ({
  taskId: load.taskId,
  accountId: load.actor.accountId,
  userId: load.actor.userId,
  userName: load.actor.user,
  label: load.label,
  table: load.target.table,
  warehouse: load.target.warehouse,
  part: load.options.part,
  requestId: load.requestId,
  sizeBytes: load.received,
  at,
})

const takenBy = (label: string, row: { transaction_id: number | null; state: string }) =>
  new LabelTaken(label, row.transaction_id ?? 0, row.state === 'finished' ? 'FINISHED' : 'RUNNING')

/** Writes a load down under its label; throws `LabelTaken` when another one has it. */
export function createLabels({ store, settle, isLive, clock }: LabelParts) {
  return async function take(load: LiveLoad): Promise<void> {
    for (;;) {
      const id = await store.insert(newStream(load, clock.now()))
      if (id !== undefined) {
        load.transactionId = id
        load.isWritten = true
        return
      }
      const { accountId } = load.actor
      const place = { accountId, catalog: load.target.table.catalog, database: load.target.table.database }
      const before = await store.byLabel(place, load.label)
      if (before && before.state !== 'finished' && !isLive(before.task_id))
        await settle(accountId, before.task_id)
      const now = before && (await store.byLabel(place, load.label))
      // None any more: it has failed, and its label is free.
      if (now) throw takenBy(load.label, now)
    }
  }
}

export type TakeLabel = ReturnType<typeof createLabels>
