import { expect, onTestFinished, test } from 'vitest'
import { cellsOf } from '../engine/batches.ts'
import type { Column } from '../engine/columns.ts'
import type { FinishedOutcome } from '../engine/outcome.ts'
import type { Cell } from '../engine/rows.ts'
import type { EngineSession } from '../engine/session.ts'
import type { RowBatch, RowSink } from '../engine/sink.ts'
import { cell, openSession, rowsOf, rowsUpTo, sharedEngine } from './fixture.ts'
import type { Suite } from './suite.ts'
import { lacks } from './suite-dialect.ts'

// Much more than it takes, also on a busy machine, and much less than the statement would.
const SOON_MS = 60_000

/** Keeps what it takes. */
export function collecting(): RowSink & { columns: readonly Column[] | null; rows: Cell[][]; ends: number } {
  const sink = {
    columns: null as readonly Column[] | null,
    rows: [] as Cell[][],
    ends: 0,
    begin(columns: readonly Column[]) {
      sink.columns = columns
    },
    async write(batch: RowBatch) {
      for (const row of cellsOf(batch)) sink.rows.push(row)
    },
    async end() {
      sink.ends++
    },
  }
  return sink
}

/** Takes one batch, and the next ones only after `open()`. */
export function waiting(): RowSink & { rows: number; readonly isFull: Promise<void>; open(): void } {
  let [fill, open]: (() => void)[] = []
  const isFull = new Promise<void>((resolve) => (fill = resolve))
  const opened = new Promise<void>((resolve) => (open = resolve))
  // No test leaves a reader behind that never reads.
  onTestFinished(() => open?.())
  const sink = {
    rows: 0,
    isFull,
    open: () => open?.(),
    begin: () => undefined,
    async write(batch: RowBatch) {
      if (sink.rows > 0) {
        fill?.()
        await opened
      }
      sink.rows += batch.rows
    },
  }
  return sink
}

export const into = (session: EngineSession, sql: string, sink: RowSink) =>
  session.execute(sql, { ...rowsUpTo(3), longestCell: 5, sink })

export async function filled(session: EngineSession, sql: string, sink: RowSink): Promise<FinishedOutcome> {
  const outcome = await into(session, sql, sink).outcome
  if (outcome.state !== 'finished')
    throw new Error(`The statement has not finished: ${JSON.stringify(outcome)}`)
  return outcome
}

/** Many more rows than fit between an engine and a sink that does not take them. */
const MANY = 300_000

export function sinkTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)
  const session = () => openSession(shared.engine())

  test('gives a sink the columns and the whole of all rows, whatever is shown of others', async () => {
    const { sql, columns, row } = words.example
    const sink = collecting()
    const outcome = await filled(await session(), sql, sink)
    expect([sink.columns, sink.rows, sink.ends]).toEqual([columns, [row], 1])
    const bytes = row.reduce((sum, cell) => sum + Buffer.byteLength(cell ?? ''), 0)
    expect(outcome).toMatchObject({ sinkRows: 1, bytes, kept: null })
    expect(outcome.result).toEqual({ columns, rows: [], truncated: false, rowsChanged: null })
    const long = collecting()
    expect((await filled(await session(), words.longText('é', 100_000), long)).bytes).toBe(200_000)
    expect(long.rows).toEqual([['é'.repeat(100_000)]])
  })

  test('gives a sink many rows in their order', async () => {
    const sink = collecting()
    const outcome = await filled(await session(), words.numbers(50_000, 'descending'), sink)
    expect(outcome.sinkRows).toBe(50_000)
    expect(sink.rows).toEqual(Array.from({ length: 50_000 }, (_, i) => [String(49_999 - i)]))
  })

  test('gives a sink the columns of an empty result', async () => {
    const sink = collecting()
    const outcome = await filled(await session(), words.numbers(0), sink)
    expect([sink.columns?.map(({ name }) => name), sink.rows, sink.ends]).toEqual([['i'], [], 1])
    expect([outcome.sinkRows, outcome.bytes]).toEqual([0, 0])
  })

  test('gives a sink nothing of a statement without a result', async () => {
    const one = await session()
    const sink = collecting()
    await filled(one, words.createTable('sunk'), sink)
    const outcome = await filled(one, words.insert('sunk', 1, 2), sink)
    expect([sink.columns, sink.rows, sink.ends]).toEqual([null, [], 0])
    expect(outcome.result.rowsChanged).toBe(2)
    expect(await cell(one, words.count('sunk'))).toBe('2')
  })

  endingTests({ open, words })
}

/** What ends it, and what waits meanwhile. */
function endingTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)
  const session = () => openSession(shared.engine())

  test('reads no further than a little while the sink is busy', async () => {
    const sink = waiting()
    const run = into(await session(), words.numbers(1_000_000_000_000), sink)
    await sink.isFull
    const taken = sink.rows
    // Others are served meanwhile.
    expect(await cell(await session(), words.one(1))).toBe('1')
    expect(sink.rows).toBe(taken)
    await run.cancel()
    expect(await run.outcome).toMatchObject({ state: 'cancelled' })
  })

  test('ends a statement whose reader went away, and the session can be used', async () => {
    const one = await session()
    let batches = 0
    const sink: RowSink = {
      begin: () => undefined,
      async write() {
        if (++batches === 2) throw new Error('The client has gone.')
      },
    }
    const asked = performance.now()
    const outcome = await into(one, words.numbers(1_000_000_000_000), sink).outcome
    expect(outcome).toMatchObject({ state: 'cancelled' })
    expect(performance.now() - asked).toBeLessThan(SOON_MS)
    expect(batches).toBe(2)
    expect(await cell(one, words.one(1))).toBe('1')
  })

  test('ends a statement whose sink refuses its columns', async () => {
    const one = await session()
    const sink: RowSink = {
      begin: () => Promise.reject(new Error('Not these.')),
      write: () => Promise.reject(new Error('Never called.')),
    }
    expect(await into(one, words.numbers(10), sink).outcome).toMatchObject({ state: 'cancelled' })
    expect(await cell(one, words.one(1))).toBe('1')
  })

  test('ends a statement whose sink refuses its end', async () => {
    const one = await session()
    const sink: RowSink = { ...collecting(), end: () => Promise.reject(new Error('The disk is full.')) }
    expect(await into(one, words.numbers(10), sink).outcome).toMatchObject({ state: 'cancelled' })
    expect(await cell(one, words.one(1))).toBe('1')
  })

  test('cancels a statement whose sink is busy', async () => {
    const one = await session()
    const sink = waiting()
    const run = into(one, words.numbers(MANY), sink)
    await sink.isFull
    const asked = performance.now()
    await run.cancel()
    expect(performance.now() - asked).toBeLessThan(SOON_MS)
    expect(await run.outcome).toMatchObject({ state: 'cancelled' })
    const { rows } = sink
    expect(await cell(one, words.one(1))).toBe('1')
    expect(sink.rows).toBe(rows)
  })

  failingTests({ open, words })
}

function failingTests({ open, words }: Suite): void {
  const shared = sharedEngine(open)
  const session = () => openSession(shared.engine())

  test('says what failed behind rows that a sink has taken', async () => {
    const one = await session()
    const sink = collecting()
    const outcome = await into(one, words.failingLate(100_000), sink).outcome
    const alone = await one.execute(words.failingLate(0), rowsUpTo(10)).outcome
    if (outcome.state !== 'failed' || alone.state !== 'failed') throw new Error('It has not failed.')
    expect(outcome.error.kind).toBe(alone.error.kind)
    expect(outcome.error.message).toBe(alone.error.message)
    expect(sink.ends).toBe(0)
    expect(await cell(one, words.one(1))).toBe('1')
  })

  test('fills two sinks at once, one of them slow', async () => {
    const [slow, fast] = [waiting(), collecting()]
    const [one, other] = [await session(), await session()]
    const run = into(one, words.numbers(MANY), slow)
    await slow.isFull
    expect((await filled(other, words.numbers(100_000), fast)).sinkRows).toBe(100_000)
    expect(fast.rows.at(-1)).toEqual(['99999'])
    slow.open()
    expect(await run.outcome).toMatchObject({ state: 'finished', sinkRows: MANY })
    expect(slow.rows).toBe(MANY)
  })

  const hasNone = lacks(words, 'transactions')
  test.skipIf(hasNone)('gives a sink what a transaction sees before it is committed', async () => {
    const one = await session()
    await rowsOf(one, words.begin)
    await rowsOf(one, words.createNumbered('sunk_inside', 5))
    const sink = collecting()
    await filled(one, words.select('sunk_inside'), sink)
    await rowsOf(one, words.rollback)
    expect(new Set(sink.rows.flat())).toEqual(new Set(['0', '1', '2', '3', '4']))
  })
}
