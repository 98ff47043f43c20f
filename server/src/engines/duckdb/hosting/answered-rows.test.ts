import { afterAll, expect, test } from 'vitest'
import { openSession, ownEngine, rowsUpTo } from '../../conformance/fixture.ts'
import { collecting, waiting } from '../../conformance/sinks.ts'
import type { EngineSession } from '../../engine/session.ts'
import type { RowSink } from '../../engine/sink.ts'
import { hostBundleForTests } from '../host/host-bundle-for-tests.ts'
import { createDuckdbProvider } from '../provider.ts'

const provider = createDuckdbProvider({ hostPath: await hostBundleForTests(), spare: false })
afterAll(() => provider.close())

const session = async () => openSession(await ownEngine({ provider, kill: () => undefined }))

/** As the service runs what only reads: its rows may come with the answer. */
const reading = (one: EngineSession, sql: string, sink: RowSink) =>
  one.execute(sql, { ...rowsUpTo(3), takenFor: 'reads', sink })

test('gives a sink all rows of results around the size that comes with the answer', async () => {
  const one = await session()
  // Each twice: what gave few rows is expected to do so again, and then has more.
  for (const rows of [0, 1, 1, 1999, 2000, 2001, 2048, 2049, 4100, 1, 30_000, 0]) {
    const sink = collecting()
    const outcome = await reading(one, `SELECT i, 'some text' AS t FROM range(${rows}) t(i)`, sink).outcome
    expect(outcome).toMatchObject({ state: 'finished', sinkRows: rows })
    expect(sink.columns?.map(({ name }) => name)).toEqual(['i', 't'])
    expect(sink.rows.map(([i]) => i)).toEqual(Array.from({ length: rows }, (_, i) => String(i)))
    expect(sink.ends).toBe(1)
  }
})

test.each(['begin', 'write', 'end'] as const)(
  'cancels a small statement whose sink refuses at %s',
  async (at) => {
    const one = await session()
    const refusing = { ...collecting(), [at]: () => Promise.reject(new Error('Gone.')) }
    expect(await reading(one, 'SELECT 1 AS i', refusing).outcome).toMatchObject({ state: 'cancelled' })
    expect(await reading(one, 'SELECT 1 AS i', collecting()).outcome).toMatchObject({ state: 'finished' })
  },
)

test('stops while a sink has not taken the rows that came with the answer', async () => {
  const one = await session()
  let begin: (() => void) | undefined
  const hasBegun = new Promise<void>((resolve) => (begin = resolve))
  const busy: RowSink = {
    begin: () => begin?.(),
    write: () => new Promise(() => undefined),
  }
  const run = reading(one, 'SELECT 1 AS i', busy)
  await hasBegun
  await run.cancel()
  expect(await run.outcome).toMatchObject({ state: 'cancelled' })
  expect(await reading(one, 'SELECT 1 AS i', collecting()).outcome).toMatchObject({ state: 'finished' })
})

test('stops a statement in the middle that gave few rows before', async () => {
  const one = await session()
  const sql = (rows: number) => `SELECT i FROM range(${rows}) t(i)`
  expect(await reading(one, sql(10), collecting()).outcome).toMatchObject({ sinkRows: 10 })
  const sink = waiting()
  const run = reading(one, sql(1_000_000_000_000), sink)
  await sink.isFull
  await run.cancel()
  expect(await run.outcome).toMatchObject({ state: 'cancelled' })
})

test('says what failed in a statement that gave few rows before, whether or not rows were sent', async () => {
  const one = await session()
  const sql = (rows: number) =>
    `SELECT CASE WHEN i >= 5000 THEN error('late') ELSE i END AS i FROM range(${rows}) t(i)`
  for (const rows of [10, 5001, 10, 400_000]) {
    const outcome = await reading(one, sql(rows), collecting()).outcome
    if (rows === 10) expect(outcome).toMatchObject({ state: 'finished', sinkRows: 10 })
    else
      expect(outcome).toMatchObject({ state: 'failed', error: { message: expect.stringContaining('late') } })
  }
})
