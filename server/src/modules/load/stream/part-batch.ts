import { randomUUID } from 'node:crypto'
import type { ArrivedData } from './arrived-data.ts'
import { type LiveLoad, NO_COUNTS } from './live-load.ts'
import type { Mergeable, RunTogether } from './merged-loads.ts'
import type { InTurn } from './places.ts'
import type { RunStream, StreamEnding } from './stream-runs.ts'
import type { StreamStore } from './stream-store.ts'

export interface PartBatchParts {
  readonly run: RunStream
  readonly inTurn: InTurn
  readonly store: Pick<StreamStore, 'sending'>
  readonly takeLabel: (load: LiveLoad) => Promise<void>
  readonly runAlone: (load: LiveLoad, data: ArrivedData) => Promise<StreamEnding>
}

/** A load that is read in its own way, from its own file. */
export interface PartLoad extends Mergeable {
  readonly data: ArrivedData
}

const isStopped = ({ load }: PartLoad): boolean => load.stopping.signal.aborted

/** Several loads as the parts of one transaction: each has its own row, file and numbers. */
export function createPartBatches(parts: PartBatchParts): RunTogether<PartLoad> {
  const { run, inTurn, store, takeLabel, runAlone } = parts

  async function together(all: readonly PartLoad[], { load: first }: PartLoad): Promise<StreamEnding> {
    const { actor, target, sender } = first
    const requestId = `stream-merged-${randomUUID()}`
    const loads = all.map(({ load }) => load)
    for (const load of loads) load.requestId = requestId
    await Promise.all(loads.filter(({ isWritten }) => !isWritten).map(takeLabel))
    await store.sending(
      loads.map(({ taskId }) => taskId),
      requestId,
    )
    const files = await Promise.all(all.map(({ data }) => data.file()))
    return inTurn(actor, () =>
      run(actor, {
        requestId,
        label: `${all.length} loads merged`,
        target,
        parts: loads.map(({ options }, at) => ({
          ...options.part,
          file: files[at] ?? '',
          table: target.table,
          wholeRows: null,
        })),
        sender,
        onProgress: (percentage) => {
          for (const load of loads) load.progress = percentage
        },
      }),
    )
  }

  return async (all) => {
    const [first] = all
    if (!first) return []
    if (all.length === 1) return [await runAlone(first.load, first.data)]
    const ending = await together(all, first)
    if (ending.state === 'finished')
      return all.map((_, at) => {
        const counts = ending.counts?.[at]
        return { ...ending, counts: [counts ?? NO_COUNTS], rows: counts?.loaded ?? null }
      })
    // What one of them was stopped for is not the end of the others.
    if (ending.state === 'cancelled' && all.some(isStopped))
      return all.map((one) => (isStopped(one) ? ending : null))
    return all.map(() => (ending.isUndone ? null : ending))
  }
}
