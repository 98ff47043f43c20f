import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { resultIdsIn } from '../../results/files.ts'
import { placesIn } from '../../results/form.ts'
import { MIB, openSession, ownEngine, rowsOf, testSpace } from './fixture.ts'
import { KEEP, runKept } from './run-kept.ts'
import { sharedResults, type SharedResults } from './shared-results.ts'
import type { Suite } from './suite.ts'
import { lacks } from './suite-dialect.ts'

/** What is read again of what was shown. */
function readAgainTests(shared: SharedResults, { words }: Suite): void {
  const { results } = shared

  test('reads the rows of a statement again, in their order and by windows', async () => {
    const session = await openSession(shared.engine())
    const { queryId, result, kept } = await runKept(session, words.numbers(5000, 'descending'))
    expect(kept).toEqual({ rows: 5000, complete: true, bytes: 0 })
    expect([result.rows.length, result.truncated]).toEqual([10, true])
    const first = await results().read(queryId, { offset: 0, limit: 10 })
    expect(first).toEqual({ ...result, totalRows: 5000, complete: true })
    const last = await results().read(queryId, { offset: 4995, limit: 100 })
    expect(last?.rows).toEqual([4, 3, 2, 1, 0].map((i) => [String(i)]))
    expect(last).toMatchObject({ truncated: false, totalRows: 5000 })
    expect(await results().read(queryId, { offset: 9000, limit: 10 })).toMatchObject({ rows: [] })
  })

  test('reads again what was shown, with its columns', async () => {
    const session = await openSession(shared.engine())
    const { queryId, result } = await runKept(session, words.example.sql)
    expect(await results().read(queryId, { offset: 0, limit: 10 })).toEqual({
      ...result,
      totalRows: 1,
      complete: true,
    })
  })

  test.skipIf(lacks(words, 'transactions'))(
    'keeps what a transaction sees before it is committed',
    async () => {
      const session = await openSession(shared.engine())
      await rowsOf(session, words.begin)
      await rowsOf(session, words.createNumbered('seen_inside', 50))
      const { queryId, kept } = await runKept(session, words.select('seen_inside'))
      await rowsOf(session, words.rollback)
      expect(kept?.rows).toBe(50)
      expect((await results().read(queryId, { offset: 49, limit: 1 }))?.rows).toEqual([['49']])
    },
  )
}

/** How much is kept. */
function amountTests(shared: SharedResults, { words }: Suite): void {
  const { results } = shared

  test('keeps no more rows than asked for, and says that there were more', async () => {
    const session = await openSession(shared.engine())
    const keep = { ...KEEP, maxRows: 30 }
    const { queryId, kept } = await runKept(session, words.numbers(1_000_000_000_000), { keep })
    expect(kept).toEqual({ rows: 30, complete: false, bytes: 0 })
    const read = await results().read(queryId, { offset: 25, limit: 100 })
    expect(read).toMatchObject({ totalRows: 30, complete: false, truncated: false })
    expect(read?.rows.at(-1)).toEqual(['29'])
  })

  test('keeps the whole of cells that were cut', async () => {
    const session = await openSession(shared.engine())
    const { queryId, result } = await runKept(session, words.longText('é', 5000), { longestCell: 4096 })
    expect(result.longCells).toEqual([{ row: 0, column: 0, length: 5000 }])
    const part = { row: 0, column: 0, offset: 0, length: MIB }
    expect(await results().cell(queryId, part)).toEqual({ text: 'é'.repeat(5000), length: 5000 })
  })
}

/** Results as files, which outlive their engine. */
function fileTests(shared: SharedResults, { open, words }: Suite): void {
  const { results } = shared

  test('writes a kept result out', async () => {
    const session = await openSession(shared.engine())
    const { queryId } = await runKept(session, words.numbers(3))
    const file = join(shared.directory(), 'exports', randomUUID())
    const written = await results().export(queryId, { format: 'csv', file, maxBytes: MIB })
    const text = await readFile(file, 'utf8')
    expect(text.trim().split(/\r?\n/)).toEqual(['i', '0', '1', '2'])
    expect(written?.bytes).toBe(Buffer.byteLength(text))
  })

  test('keeps the results of many statements at once', async () => {
    const runs = await Promise.all(
      Array.from({ length: 40 }, async (_, at) =>
        runKept(await openSession(shared.engine()), words.numbers(at % 4 === 0 ? 3000 + at : 3 + at)),
      ),
    )
    for (const [at, { queryId, kept }] of runs.entries()) {
      const count = at % 4 === 0 ? 3000 + at : 3 + at
      expect(kept?.rows).toBe(count)
      const last = await results().read(queryId, { offset: count - 1, limit: 2 })
      expect(last?.rows).toEqual([[String(count - 1)]])
    }
  })

  test('has what it kept after it was closed, and after it was lost', async () => {
    const fixture = await open()
    const space = await testSpace()
    const first = await ownEngine(fixture, space)
    const closed = await runKept(await openSession(first), words.numbers(5000))
    // At once: what was promised is written before the end.
    await first.close()
    const second = await ownEngine(fixture, space)
    await second.settled(closed.queryId)
    const reader = await fixture.provider.openReader(space)
    onTestFinished(() => reader.close())
    const last = await reader.cell(closed.queryId, { row: 4999, column: 0, offset: 0, length: 10 })
    expect(last?.text).toBe('4999')
    const lost = await runKept(await openSession(second), words.one(42))
    await second.settled(lost.queryId)
    fixture.kill(second)
    await second.lost
    await second.close()
    expect((await reader.read(lost.queryId, { offset: 0, limit: 1 }))?.rows).toEqual([['42']])
    const listed = await resultIdsIn(placesIn(space.directory).results)
    expect(listed.toSorted()).toEqual([closed.queryId, lost.queryId].toSorted())
  })

  test('is listed and dropped by its id, without the engine', async () => {
    const session = await openSession(shared.engine())
    const { queryId } = await runKept(session, words.one(42))
    await shared.engine().settled(queryId)
    expect((await results().list()).map((file) => file.queryId)).toContain(queryId)
    await results().drop([queryId])
    expect(await results().read(queryId, { offset: 0, limit: 1 })).toBeNull()
  })
}

export function keptTests(suite: Suite): void {
  const shared = sharedResults(suite.open)
  readAgainTests(shared, suite)
  amountTests(shared, suite)
  fileTests(shared, suite)
}
