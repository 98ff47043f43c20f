import { randomUUID } from 'node:crypto'
import type { StreamCounts } from '../../../engines/engine/files.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Arrivals } from './arrived-data.ts'
import { type LiveLoad, NO_COUNTS } from './live-load.ts'
import { LINE_BREAK } from './mergeable.ts'
import type { Mergeable, RunTogether } from './merged-loads.ts'
import type { InTurn } from './places.ts'
import { type RunStream, type StreamEnding, streamRequestOf } from './stream-runs.ts'
import type { StreamEnd, StreamStore } from './stream-store.ts'

export interface BatchParts {
  readonly arrivals: Pick<Arrivals, 'put' | 'remove'>
  readonly run: RunStream
  readonly inTurn: InTurn
  readonly store: Pick<StreamStore, 'sending' | 'endAll'>
  readonly clock: Clock
  /** Writes down one load, under a label of its own. */
  readonly write: (load: LiveLoad) => Promise<void>
  readonly log: Log
}

/** A small load with its data, whose rows are lines. */
export interface SmallLoad extends Mergeable {
  readonly data: Buffer
  readonly rows: number
}

const countsOf = (rows: number): StreamCounts => ({ ...NO_COUNTS, total: rows, loaded: rows })

/** Several small loads as one file in one transaction. */
export function createBatches(parts: BatchParts): RunTogether<SmallLoad> {
  const { arrivals, run, inTurn, store, clock, write, log } = parts

  /** Before it runs: by its row, each of them can be found out about later. Those without labels have one row together. */
  async function writeDown(all: readonly SmallLoad[], requestId: string): Promise<void> {
    const loads = all.map(({ load }) => load)
    const unlabelled = all.filter(({ load }) => !load.isWritten)
    const labelled = loads.filter(({ isWritten }) => isWritten)
    const [first] = unlabelled
    if (first) await write(first.load)
    const ids = [...labelled, ...(first ? [first.load] : [])].map(({ taskId }) => taskId)
    await store.sending(ids, requestId)
    if (!first) return
    first.load.rowsOfOthers = unlabelled.reduce((sum, { rows }) => sum + rows, -first.rows)
    for (const load of loads) load.transactionId ??= first.load.transactionId
  }

  /** All of them in one transaction, under one request. */
  async function together(all: readonly SmallLoad[]): Promise<StreamEnding> {
    const [first] = all
    if (!first) throw new Error('Nothing is to be merged.')
    const { actor, target, options, sender, taskId } = first.load
    const isAlone = all.length === 1
    const requestId = isAlone ? streamRequestOf(taskId) : `stream-merged-${randomUUID()}`
    if (isAlone) first.load.requestId = requestId
    await writeDown(all, requestId)
    const lines = all.flatMap(({ data }) => (data.at(-1) === LINE_BREAK ? [data] : [data, Buffer.from('\n')]))
    const file = await arrivals.put(actor.accountId, Buffer.concat(lines))
    const wholeRows = isAlone ? null : all.reduce((sum, { rows }) => sum + rows, 0)
    try {
      return await inTurn(actor, () =>
        run(actor, {
          requestId,
          label: isAlone ? first.load.label : `${all.length} loads merged`,
          target,
          parts: [{ ...options.part, file, table: target.table, wholeRows }],
          sender,
          onProgress: () => undefined,
        }),
      )
    } finally {
      await arrivals.remove(actor.accountId, file)
    }
  }

  /** In one statement for all rows. */
  async function writeEnds(all: readonly SmallLoad[], { queryId }: StreamEnding): Promise<void> {
    const known = all.filter(({ load }) => load.isWritten)
    const ends = known.map(({ load, rows }): StreamEnd => ({
      taskId: load.taskId,
      state: 'finished',
      error: '',
      sizeBytes: load.received,
      queryId: queryId || null,
      counts: countsOf(rows + load.rowsOfOthers),
    }))
    await store.endAll(ends, clock.now())
    for (const { load } of known) load.isEnded = true
  }

  return async (all) => {
    const ending = await together(all)
    if (all.length === 1) return [ending]
    if (ending.state !== 'finished') return all.map(() => (ending.isUndone ? null : ending))
    // Each of them is found out about later.
    await writeEnds(all, ending).catch((error: unknown) =>
      log.error({ err: error }, 'the ends of merged loads were not written down'),
    )
    return all.map(({ rows }) => ({ ...ending, counts: [countsOf(rows)], rows }))
  }
}
