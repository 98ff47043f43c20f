import { beforeAll, describe, expect, test } from 'vitest'
import type { CellFilter, ComparingSign, OpenReader } from '../../../results/reader.ts'
import { accountSpace, openSession, removeSpace } from '../../conformance/fixture.ts'
import { runKept } from '../../conformance/run-kept.ts'
import type { Engine } from '../../engine/engine.ts'
import { createInProcessDuckdb } from '../in-process.ts'

let engine: Engine
let reader: OpenReader
beforeAll(async () => {
  const space = await accountSpace()
  const provider = createInProcessDuckdb()
  engine = await provider.open(space)
  reader = await provider.openReader(space)
  return async () => {
    await reader.close()
    await engine.close()
    await removeSpace(space)
  }
})

async function kept(sql: string, timeZone = 'UTC'): Promise<string> {
  const { queryId } = await runKept(await openSession(engine, { timeZone }), sql)
  await engine.settled(queryId)
  return queryId
}

interface Looked {
  readonly sort?: { column: number; descending: boolean } | null
  readonly filters?: Readonly<Record<number, CellFilter>>
  readonly offset?: number
  readonly limit?: number
  readonly longestCell?: number
}

async function look(queryId: string, { sort = null, filters = {}, ...window }: Looked) {
  const found = await reader.arranged(queryId, {
    offset: 0,
    limit: 1000,
    ...window,
    sort,
    filters: Object.entries(filters).map(([column, filter]) => ({ column: Number(column), filter })),
  })
  if (!found) throw new Error('The result is not kept.')
  return found
}

const has = (text: string): CellFilter => ({ kind: 'contains', text })
const is = (sign: ComparingSign, operand: string): CellFilter => ({ kind: 'compare', sign, operand })
const NULL: CellFilter = { kind: 'null', isNull: true }
const NOT_NULL: CellFilter = { kind: 'null', isNull: false }

const up = (column: number) => ({ column, descending: false })
const down = (column: number) => ({ column, descending: true })

/** Large enough to be a file of values, and small enough to be one of texts. */
const FORMS = [
  {
    form: 'as values',
    filler: `, repeat('x', 100000) AS filler`,
    zone: 'Europe/Zurich',
    of2026: [0, 2, 3, 4],
  },
  { form: 'as texts', filler: '', zone: 'UTC', of2026: [0, 3, 4] },
]

describe.each(FORMS)('rows kept $form', ({ filler, zone, of2026 }) => {
  const cities = `SELECT n, city, moment${filler} FROM (VALUES
    (10::HUGEINT, 'Bern', TIMESTAMPTZ '2026-03-01 09:00:00+00'), (9, NULL, NULL), (NULL, 'basel', '2025-12-31 23:30:00+00'),
    (9007199254740993, 'Chur', '2026-07-01 00:00:00+00'), (9007199254740992, 'Aarau', '2026-01-01 00:00:00+00')) t(n, city, moment)`
  let keptUnder: Promise<string> | undefined
  const lookAt = async (looked: Looked) => look(await (keptUnder ??= kept(cities, zone)), looked)

  const places = async (looked: Looked) => (await lookAt(looked)).places

  test('are sorted as numbers to the digit, as people sort texts, and as moments, with NULL last either way', async () => {
    expect(await places({ sort: up(0) })).toEqual([1, 0, 4, 3, 2])
    expect(await places({ sort: down(0) })).toEqual([3, 4, 0, 1, 2])
    expect(await places({ sort: up(1) })).toEqual([4, 2, 0, 3, 1])
    expect(await places({ sort: down(2) })).toEqual([3, 0, 4, 2, 1])
  })

  test('are left out by a part of the value, by a comparison, and by NULL', async () => {
    expect(await places({ filters: { 1: has('B') } })).toEqual([0, 2])
    expect(await places({ filters: { 0: is('>', '9') } })).toEqual([0, 3, 4])
    expect(await places({ filters: { 0: is('=', '9007199254740993') } })).toEqual([3])
    expect(await places({ filters: { 0: is('!=', '9') } })).toEqual([0, 3, 4])
    expect(await places({ filters: { 0: is('>=', '9.5') } })).toEqual([0, 3, 4])
    expect(await places({ filters: { 1: NULL } })).toEqual([1])
    expect(await places({ filters: { 1: NOT_NULL } })).toEqual([0, 2, 3, 4])
    expect(await places({ filters: { 1: is('>', 'Bern') } })).toEqual([3])
    // As it is shown, in the zone of the session that ran it.
    expect(await places({ filters: { 2: is('>=', '2026-01-01') } })).toEqual(of2026)
    expect(await places({ filters: { 0: is('>', '9'), 1: has('u') }, sort: down(1) })).toEqual([3, 4])
  })

  test('come by windows, with how many there are and whether they are cut', async () => {
    const found = await lookAt({ sort: up(0), offset: 1, limit: 2, longestCell: 3 })
    expect(found).toMatchObject({
      places: [0, 4],
      shownRows: 5,
      totalRows: 5,
      complete: true,
      truncated: true,
    })
    expect(found.rows.map((row) => row.slice(0, 2))).toEqual([
      ['10', 'Ber'],
      ['900', 'Aar'],
    ])
    const cut = found.longCells?.filter(({ column }) => column < 2)
    expect(cut).toEqual([
      { row: 0, column: 1, length: 4 },
      { row: 1, column: 0, length: 16 },
      { row: 1, column: 1, length: 5 },
    ])
    expect((await lookAt({ filters: { 1: has('nowhere') } })).rows).toEqual([])
  })
})

test('what somebody writes is a text, whatever SQL it looks like', async () => {
  const queryId = await kept(`SELECT * FROM (VALUES ('it''s'), ('100 %')) t(a)`)
  for (const [written, places] of [
    [has(`it's`), [0]],
    [has(`' OR 1=1 --`), []],
    [has('%'), [1]],
    [is('>', `' OR 1=1`), [0, 1]],
  ] as const)
    expect((await look(queryId, { filters: { 0: written } })).places).toEqual(places)
})

test('values of every type can be sorted and filtered', async () => {
  const queryId = await kept('FROM test_all_types()')
  const { columns } = await look(queryId, {})
  for (const column of columns.keys())
    expect((await look(queryId, { sort: up(column), limit: 1 })).shownRows).toBe(3)
  for (const written of [is('=', '1'), is('>', '2020-01-01'), has('a'), is('!=', 'x'), NULL]) {
    const filters = Object.fromEntries(columns.map((_, column) => [column, written]))
    expect((await look(queryId, { filters, limit: 1 })).shownRows).toBeLessThanOrEqual(3)
  }
})

test('a hundred thousand rows are arranged once, however many windows of them are looked at', async () => {
  const queryId = await kept(`SELECT range AS n, hash(range) AS h, 'row ' || range AS t FROM range(100000)`)
  const sort = up(1)
  const windows = await Promise.all([0, 50_000, 99_000].map((offset) => look(queryId, { sort, offset })))
  const hashes = windows.flatMap(({ rows }) => rows.map((row) => BigInt(row[1] ?? '')))
  expect(hashes).toEqual(hashes.toSorted((a, b) => Number(a - b)))
  expect(windows.map(({ rows, places }) => rows[0]?.[2] === `row ${places[0]}`)).toEqual([true, true, true])
})
