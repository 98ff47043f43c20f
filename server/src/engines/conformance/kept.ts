import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MIB, openSession, rowsOf } from './fixture.ts'
import { KEEP, runKept } from './run-kept.ts'
import { sharedResults } from './shared-results.ts'
import type { Suite } from './suite.ts'

export function keptTests({ open, words }: Suite): void {
  const shared = sharedResults(open)
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

  test('keeps what a transaction sees before it is committed', async () => {
    const session = await openSession(shared.engine())
    await rowsOf(session, words.begin)
    await rowsOf(session, words.createNumbered('seen_inside', 50))
    const { queryId, kept } = await runKept(session, words.select('seen_inside'))
    await rowsOf(session, words.rollback)
    expect(kept?.rows).toBe(50)
    expect((await results().read(queryId, { offset: 49, limit: 1 }))?.rows).toEqual([['49']])
  })

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

  test('writes a kept result out', async () => {
    const session = await openSession(shared.engine())
    const { queryId } = await runKept(session, words.numbers(3))
    const file = join(shared.directory(), 'exports', randomUUID())
    const written = await results().export(queryId, { format: 'csv', file, maxBytes: MIB })
    const text = await readFile(file, 'utf8')
    expect(text.trim().split(/\r?\n/)).toEqual(['i', '0', '1', '2'])
    expect(written?.bytes).toBe(Buffer.byteLength(text))
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
