import { query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../../testing/start-app.ts'

test('cells that are too large to hold together are shown by their beginnings, and fetched one by one', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const channel = await admin.channel()
  const [answer] = await channel.run(`SELECT range AS i, repeat('x', 10000000) AS w FROM range(10)`)
  const beginning = 'x'.repeat(4096)
  expect(answer?.result).toEqual(Array.from({ length: 10 }, (_, i) => [String(i), beginning]))
  expect(answer?.longCells).toEqual(
    Array.from({ length: 10 }, (_, row) => ({ row, column: 1, length: 10_000_000 })),
  )
  const queryId = answer?.queryId ?? ''
  const window = (await admin.call(query.resultWindow, { queryId, offset: 8, limit: 2 })).data
  expect(window.rows).toEqual([
    ['8', beginning],
    ['9', beginning],
  ])
  expect(window.longCells).toEqual([0, 1].map((row) => ({ row, column: 1, length: 10_000_000 })))
  const place = { queryId, row: 9, column: 1, offset: 9_999_990 }
  expect((await admin.call(query.resultCell, place)).data).toEqual({
    text: 'x'.repeat(10),
    length: 10_000_000,
  })
})

test('a file of a result has its cells whole', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const channel = await admin.channel()
  // Half of it is left when it is compressed.
  const sql = `SELECT string_agg(sha256(range::VARCHAR), '') AS w FROM range(400)`
  const [answer] = await channel.run(sql)
  const queryId = answer?.queryId ?? ''
  for (const format of ['csv', 'xlsx'] as const) {
    const { sizeBytes } = (await admin.call(query.exportResult, { queryId, format })).data
    expect(sizeBytes).toBeGreaterThan(10_000)
  }
  expect(answer?.result[0]?.[0]).toHaveLength(4096)
})
