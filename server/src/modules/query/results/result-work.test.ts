import { CODES, resultWork, type Sent } from '@boathouse/contract'
import { describe, expect, test } from 'vitest'
import { sharedApp, type TestUser } from '../../../testing/start-app.ts'

const app = sharedApp({}, { engine: 'embedded' })

async function keep(user: TestUser, sql: string): Promise<string> {
  const answers = await (await user.channel()).run(sql)
  expect(answers.at(-1)).toMatchObject({ resultKept: true, errMsg: '' })
  return answers.at(-1)?.queryId ?? ''
}

type Statistics = Sent<typeof resultWork.columnStatistics>
const statistics = (user: TestUser, queryId: string, asked: Partial<Statistics> = {}) =>
  user.call(resultWork.columnStatistics, { queryId, column: 0, filters: [], ...asked })

describe('statistics of a column', () => {
  test('are of all kept rows that pass, and say that the statement had more', async () => {
    const admin = await (await app()).admin()
    await (await admin.channel()).run('SELECT 1')
    const queryId = await keep(
      admin,
      'SET sql_select_limit = 3000; SELECT range AS n, range % 2 AS odd FROM range(5000)',
    )
    const whole = (await statistics(admin, queryId)).data
    expect(whole).toMatchObject({
      rows: 3000,
      totalRows: 3000,
      complete: false,
      min: '0',
      max: '2999',
      distinct: 3000,
    })
    const filters = [{ column: 1, written: '= 1' }]
    expect((await statistics(admin, queryId, { filters })).data).toMatchObject({
      rows: 1500,
      totalRows: 3000,
      min: '1',
      sum: '2250000',
    })
  })

  test('are refused where the result is somebody else’s, has no such column, or is not kept', async () => {
    const admin = await (await app()).admin()
    const queryId = await keep(admin, 'SELECT 1 AS n')
    const other = await (await app()).user(['account_admin'])
    expect((await statistics(other, queryId)).code).toBe(CODES.NotFound.code)
    const stranger = await (await app()).stranger()
    expect((await statistics(stranger, queryId)).code).toBe(CODES.NotFound.code)
    expect(await statistics(admin, queryId, { column: 1 })).toMatchObject({
      code: CODES.BadInput.code,
      message: 'column: There is no column 1; the result has 1.',
    })
    const beyond = [{ column: 7, written: 'x' }]
    expect((await statistics(admin, queryId, { filters: beyond })).code).toBe(CODES.BadInput.code)
    expect((await statistics(admin, queryId, { column: -1 })).code).toBe(CODES.BadInput.code)
  })

  test('are for who may read what the statement reads now', async () => {
    const admin = await (await app()).admin()
    const clerk = await (await app()).user([])
    await (
      await admin.channel()
    ).run(
      `CREATE DATABASE looms; CREATE TABLE looms.threads AS SELECT 1 AS n; GRANT SELECT ON looms.threads TO ${clerk.name}`,
    )
    const queryId = await keep(clerk, 'SELECT n FROM looms.threads')
    expect((await statistics(clerk, queryId)).data).toMatchObject({ rows: 1 })
    await (await admin.channel()).run(`REVOKE SELECT ON looms.threads FROM ${clerk.name}`)
    expect((await statistics(clerk, queryId)).code).toBe(CODES.NoPermission.code)
  })
})

const pivot = (user: TestUser, asked: Sent<typeof resultWork.pivot>) => user.call(resultWork.pivot, asked)
const COUNT = { column: null, aggregate: 'count' } as const

describe('a pivot', () => {
  test('is of all kept rows that pass, with the totals of all', async () => {
    const admin = await (await app()).admin()
    const sql = `SELECT range % 3 AS a, range % 2 AS b, range AS n FROM range(1200)`
    const queryId = await keep(admin, `SET sql_select_limit = none; ${sql}`)
    const { data } = await pivot(admin, {
      queryId,
      rows: [0],
      columns: [1],
      values: [COUNT, { column: 2, aggregate: 'most' }],
      filters: [{ column: 2, written: '>= 600' }],
      sort: { value: 1, descending: true },
    })
    expect(data).toEqual({
      heads: [['0'], ['1']],
      allHeads: 2,
      rows: [
        { names: ['2'], cells: ['100', '1196', '100', '1199'], totals: ['200', '1199'] },
        { names: ['1'], cells: ['100', '1198', '100', '1195'], totals: ['200', '1198'] },
        { names: ['0'], cells: ['100', '1194', '100', '1197'], totals: ['200', '1197'] },
      ],
      allRows: 3,
      totals: { cells: ['300', '1198', '300', '1199'], totals: ['600', '1199'] },
      totalRows: 1200,
      complete: true,
    })
  })

  test('is refused where the result is somebody else’s, and where it makes no sense', async () => {
    const admin = await (await app()).admin()
    const queryId = await keep(admin, `SELECT 1 AS n, 'x' AS word`)
    const wanted = { queryId, rows: [0], columns: [], values: [COUNT] }
    const other = await (await app()).user(['account_admin'])
    expect((await pivot(other, wanted)).code).toBe(CODES.NotFound.code)
    const refusals: readonly [Partial<Sent<typeof resultWork.pivot>>, string][] = [
      [{ rows: [2] }, 'column: There is no column 2; the result has 2.'],
      [{ rows: [0], columns: [0] }, 'rows: A column can be used once, in rows or in columns.'],
      [
        { values: [{ column: 1, aggregate: 'sum' }] },
        'values: word has no numbers: choose count, distinct, least or most.',
      ],
      [{ values: [{ column: null, aggregate: 'most' }] }, 'values: Choose a column for most.'],
      [{ sort: { value: 1, descending: false } }, 'sort: There is no value 1; the pivot has 1.'],
    ]
    for (const [asked, message] of refusals)
      expect(await pivot(admin, { ...wanted, ...asked })).toMatchObject({
        code: CODES.BadInput.code,
        message,
      })
    expect((await pivot(admin, { ...wanted, values: [] })).code).toBe(CODES.BadInput.code)
  })
})

const compare = (user: TestUser, queryId: string, earlierId: string, keys: number[] = []) =>
  user.call(resultWork.compare, { queryId, earlierId, keys })

describe('a comparison of two runs', () => {
  test('names what was added, removed and changed, in the columns that both have', async () => {
    const admin = await (await app()).admin()
    const rows = (values: string, names: string) => `SELECT * FROM (VALUES ${values}) t(${names})`
    const earlierId = await keep(admin, rows(`(1, 'Bern', 3), (2, 'Chur', 4)`, 'id, city, gone'))
    const queryId = await keep(admin, rows(`('new', 2, 'Thun'), ('new', 3, 'Zug')`, 'fresh, id, city'))
    const { data } = await compare(admin, queryId, earlierId, [1])
    expect(data).toMatchObject({
      onlyHere: ['fresh'],
      onlyEarlier: ['gone'],
      repeatedKeys: 0,
      same: 0,
      added: { count: 1, rows: [['3', 'Zug']] },
      removed: { count: 1, rows: [['1', 'Bern']] },
      changed: { count: 1, rows: [{ before: ['2', 'Chur'], now: ['2', 'Thun'], differs: [1] }] },
      complete: true,
    })
    expect(await compare(admin, queryId, earlierId, [0])).toMatchObject({
      code: CODES.BadInput.code,
      message: 'keys: The earlier result has no column fresh.',
    })
    expect(await compare(admin, queryId, await keep(admin, 'SELECT 1 AS other'))).toMatchObject({
      code: CODES.BadInput.code,
      message: 'earlierId: The two results have no column in common.',
    })
  })

  test('says which of both is not there any more, or cannot be looked at', async () => {
    const admin = await (await app()).admin()
    const other = await (await app()).user(['account_admin'])
    const [own, others] = [await keep(admin, 'SELECT 1 AS n'), await keep(other, 'SELECT 1 AS n')]
    expect((await compare(admin, others, own)).code).toBe(CODES.NotFound.code)
    expect(await compare(admin, own, others)).toMatchObject({
      code: CODES.NotFound.code,
      message: 'Of the earlier run: There is no such query of yours, nor one that is shared.',
    })
    await (
      await app()
    ).store.db
      .updateTable('statements')
      .set({ result_state: 'expired' })
      .where('query_id', '=', others)
      .execute()
    expect(await compare(other, await keep(other, 'SELECT 2 AS n'), others)).toMatchObject({
      code: CODES.ResultExpired.code,
      message: 'Of the earlier run: The rows of this query are no longer kept. Run it again to see them.',
    })
  })
})

describe('work over results', () => {
  test('is few at once: what is too much of one user is refused, and all others are answered', async () => {
    const admin = await (await app()).admin()
    const other = await (await app()).user(['account_admin'])
    const sql = 'SET sql_select_limit = none; SELECT range AS n, md5(range::VARCHAR) AS h FROM range(20000)'
    const [own, others] = [await keep(admin, sql), await keep(other, 'SELECT 1 AS n')]
    const asked = Array.from({ length: 16 }, () => statistics(admin, own, { column: 1 }))
    const answered = await statistics(other, others)
    expect(answered.data).toMatchObject({ rows: 1 })
    const codes = (await Promise.all(asked)).map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set([CODES.Ok.code, CODES.TooManyAttempts.code]))
    expect((await statistics(admin, own)).data).toMatchObject({ rows: 20_000 })
  })
})
