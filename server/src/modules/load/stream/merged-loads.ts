import { randomUUID } from 'node:crypto'
import type { FileReading, StreamCounts } from '../../../engines/engine/files.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Arrivals } from './arrived-data.ts'
import { type LiveLoad, NO_COUNTS } from './live-load.ts'
import type { InTurn } from './places.ts'
import { type RunStream, type StreamEnding, streamRequestOf } from './stream-runs.ts'
import type { StreamEnd, StreamStore } from './stream-store.ts'

export interface MergeParts {
  readonly arrivals: Pick<Arrivals, 'put' | 'remove'>
  readonly run: RunStream
  readonly inTurn: InTurn
  readonly store: Pick<StreamStore, 'sending' | 'endAll'>
  readonly clock: Clock
  readonly log: Log
  /** Writes down one load, under a label of its own. */
  readonly write: (load: LiveLoad) => Promise<void>
}

/** A small load with its data, and who waits for it. */
interface Waiting {
  readonly load: LiveLoad
  readonly data: Buffer
  readonly rows: number
  resolve(ending: StreamEnding | null): void
  reject(error: unknown): void
}

interface Queue {
  readonly waiting: Waiting[]
  isRunning: boolean
  /** When its last transaction began. */
  at: number
}

/** Of one transaction. */
const MOST_LOADS = 2_000
const MOST_BYTES = 8 * 1024 * 1024

const LINE_BREAK = 0x0a

/** Rows in data whose rows are lines; empty ones are none. */
function rowsIn(data: Buffer): number {
  let rows = 0
  for (let from = 0; from < data.length;) {
    const found = data.indexOf(LINE_BREAK, from)
    const end = found < 0 ? data.length : found
    const isEmpty = end === from || (end === from + 1 && data[from] === 0x0d)
    if (!isEmpty) rows++
    from = end + 1
  }
  return rows
}

/** Every value that is opened in it is closed in it: otherwise it could take rows of the next one for its own. */
function closesQuotes({ quote, escape }: FileReading, data: Buffer): boolean {
  if (!quote) return true
  const mark = quote.charCodeAt(0)
  const found = data.reduce((sum, byte) => (byte === mark ? sum + 1 : sum), 0)
  return found === 0 || (escape === quote && found % 2 === 0)
}

/** What can stand in one file with others: rows by lines, all of them read alike, and nothing to be counted apart. */
function isMergeable({ options: { part, merges } }: LiveLoad, data: Buffer): boolean {
  const { reading, where, json, trims } = part
  if (merges === false || where !== null || trims || data.length === 0) return false
  if (reading.format === 'csv') return reading.skip === 0 && closesQuotes(reading, data)
  return reading.format === 'json' && json.paths === null && json.root === null && data[0] === 0x7b
}

/** Loads of one user into one table, read in the same way. Rights and warehouse are the same, too. */
const keyOf = ({ actor, target, options: { part, mergeMs } }: LiveLoad): string =>
  JSON.stringify([actor.accountId, actor.userId, target, part, mergeMs])

const countsOf = (rows: number): StreamCounts => ({ ...NO_COUNTS, total: rows, loaded: rows })

/**
 * Many small loads in one moment become one transaction. Each is answered when that is stored. When not all of them fit,
 * nothing of it is, and each is loaded on its own: one that is bad does not fail the others.
 */
export function createMergedLoads(parts: MergeParts) {
  const { arrivals, run, inTurn, store, clock, log, write } = parts
  const queues = new Map<string, Queue>()
  // Each of them is found out about later.
  const unwritten = (error: unknown) =>
    log.error({ err: error }, 'the ends of merged loads were not written down')

  function taken(queue: Queue): Waiting[] {
    let bytes = 0
    const until = queue.waiting.findIndex(
      ({ data }, at) => at >= MOST_LOADS || (bytes += data.length) > MOST_BYTES,
    )
    return queue.waiting.splice(0, until < 0 ? queue.waiting.length : Math.max(until, 1))
  }

  /** Before it runs: by its row, each of them can be found out about later. Those without labels have one row together. */
  async function writeDown(all: readonly Waiting[], requestId: string): Promise<void> {
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
  async function together(all: readonly Waiting[]): Promise<StreamEnding> {
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
  async function writeEnds(all: readonly Waiting[], { queryId }: StreamEnding): Promise<void> {
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

  async function runBatch(all: readonly Waiting[]): Promise<void> {
    try {
      const ending = await together(all)
      if (all.length === 1) return all[0]?.resolve(ending)
      if (ending.state === 'finished')
        await writeEnds(all, ending).catch((error: unknown) => unwritten(error))
      for (const { rows, resolve } of all) {
        if (ending.state === 'finished') resolve({ ...ending, counts: [countsOf(rows)], rows })
        else resolve(ending.isUndone ? null : ending)
      }
    } catch (error) {
      for (const { reject } of all) reject(error)
    }
  }

  function next(key: string, queue: Queue, everyMs: number): void {
    if (queue.isRunning || queue.waiting.length === 0) {
      if (!queue.isRunning) queues.delete(key)
      return
    }
    queue.isRunning = true
    const begin = async () => {
      queue.at = performance.now()
      await runBatch(taken(queue))
      queue.isRunning = false
      next(key, queue, everyMs)
    }
    setTimeout(() => void begin(), Math.max(0, queue.at + everyMs - performance.now()))
  }

  return {
    isMergeable,

    /** Null: nothing of it is in the table, and it is to be loaded on its own. */
    load(load: LiveLoad, data: Buffer): Promise<StreamEnding | null> {
      const key = keyOf(load)
      const queue = queues.get(key) ?? {
        waiting: [],
        isRunning: false,
        // Only who asks for it waits for others that may come.
        at: load.options.merges ? performance.now() : Number.NEGATIVE_INFINITY,
      }
      queues.set(key, queue)
      return new Promise((resolve, reject) => {
        queue.waiting.push({ load, data, rows: rowsIn(data), resolve, reject })
        next(key, queue, load.options.mergeMs)
      })
    },
  }
}
