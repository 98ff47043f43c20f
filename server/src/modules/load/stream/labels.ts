import type { Clock } from '../../../kernel/clock.ts'
import { LabelTaken, type LiveLoad } from './live-load.ts'
import type { NewStream } from './label-rows-store.ts'
import type { LabelPlace, StreamStore } from './stream-store.ts'

export interface LabelParts {
  readonly store: Pick<StreamStore, 'insert'>
  readonly ownerOf: OwnerOfLabel
  readonly clock: Clock
}

interface LabelOwnerParts {
  readonly store: Pick<StreamStore, 'byLabel'>
  /** Finds out how a load ended that nobody runs any more. */
  readonly settle: (accountId: string, taskId: string) => Promise<void>
  readonly isLive: (taskId: string) => boolean
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

/** Which load has a label, after it was found out whether that one has failed; null: the label is free. */
export function createLabelOwners({ store, settle, isLive }: LabelOwnerParts) {
  return async function ownerOf(place: LabelPlace, label: string): Promise<LabelTaken | null> {
    const before = await store.byLabel(place, label)
    if (before && before.state !== 'finished' && !isLive(before.task_id))
      await settle(place.accountId, before.task_id)
    const now = before && (await store.byLabel(place, label))
    return now ? takenBy(label, now) : null
  }
}

export type OwnerOfLabel = ReturnType<typeof createLabelOwners>

/** Writes a load down under its label; throws `LabelTaken` when another one has it. */
export function createLabels({ store, ownerOf, clock }: LabelParts) {
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
      const owner = await ownerOf(place, load.label)
      if (owner) throw owner
    }
  }
}

export type TakeLabel = ReturnType<typeof createLabels>
