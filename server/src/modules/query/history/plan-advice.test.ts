import { CODES, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import type { ProfileNode as Plan } from '@boathouse/contract'
import type { FinishedOutcome } from '../../../engines/engine/outcome.ts'
import { must, openSession, rowsUpTo, testSpace } from '../../../engines/conformance/fixture.ts'
import { createEmbeddedInProcess } from '../../../testing/embedded-engine.ts'
import { startApp } from '../../../testing/start-app.ts'
import { adviceOn } from './plan-advice.ts'

const listed = (root: Plan): Plan[] => [root, ...root.children.flatMap(listed)]

async function setUp() {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const channel = await admin.channel()
  const [first] = await channel.run('SET enable_profile = true')
  const connId = first?.connId ?? 0
  const run = async (sql: string) => {
    const answer = (await channel.run(sql, { connId })).at(-1)
    expect(answer?.errMsg).toBe('')
    return answer?.queryId ?? ''
  }
  for (const sql of [
    `CREATE TABLE sailed AS SELECT range AS id, range % 100 AS berth,
      DATE '2020-01-01' + (range % 3000)::INTEGER AS day FROM range(20000)`,
    'CREATE TABLE berths AS SELECT range % 100 AS berth, range AS n FROM range(2000)',
  ])
    await run(sql)
  const planOf = async (sql: string) => {
    const queryId = await run(sql)
    const { profile, advice } = (await admin.call(query.plan, { queryId })).data
    expect((await admin.call(query.detail, { queryId })).data).toMatchObject({ profile, advice })
    return { advice, steps: profile ? listed(profile) : [] }
  }
  return { app, admin, run, planOf }
}

test('advice says where a plan can be better, with what was measured', async () => {
  const { planOf } = await setUp()

  const joined = await planOf('SELECT count(*) FROM sailed JOIN berths USING (berth)')
  expect(joined.advice).toMatchObject([{ advice: 'joinMultiplies', rowsIn: 20_000, rowsOut: 400_000 }])
  const [multiplies] = joined.advice
  expect(joined.steps[multiplies?.operator ?? -1]).toMatchObject({ kind: 'join', rows: 400_000 })
  expect(multiplies?.timeShare).toBeGreaterThan(0)
  expect(multiplies?.timeShare).toBeLessThanOrEqual(1)

  const filtered = await planOf('SELECT count(*) FROM sailed WHERE year(day) = 2021')
  expect(filtered.advice).toMatchObject([{ advice: 'filtersEachRow', rowsIn: 20_000 }])
  const [each] = filtered.advice
  expect(filtered.steps[each?.operator ?? -1]).toMatchObject({ kind: 'scan', rows: each?.rowsOut })

  const compared = await planOf('SELECT count(*) FROM sailed, berths WHERE sailed.berth + n = 7')
  expect(compared.advice).toContainEqual(
    expect.objectContaining({ advice: 'comparesAll', rowsIn: 20_000 * 2000 }),
  )

  for (const fine of [
    'SELECT count(*) FROM sailed WHERE id < 10',
    'SELECT count(*) FROM sailed JOIN (SELECT DISTINCT berth FROM berths) USING (berth)',
    'SELECT berth, count(*) FROM sailed GROUP BY ALL ORDER BY ALL',
  ])
    expect((await planOf(fine)).advice).toEqual([])
})

test('an EXPLAIN has its plan as a tree of estimates, on which no advice is given', async () => {
  const { planOf } = await setUp()
  const sql = 'SELECT berth, count(*) FROM sailed JOIN berths USING (berth) GROUP BY ALL ORDER BY ALL'
  const planned = await planOf(`EXPLAIN ${sql}`)
  expect(planned.steps.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['order', 'aggregate', 'join', 'scan']),
  )
  expect(planned.steps.some(({ isEstimate }) => isEstimate)).toBe(true)
  expect(planned.advice).toEqual([])
  const ran = await planOf(`EXPLAIN ANALYZE ${sql}`)
  expect(ran.advice).toMatchObject([{ advice: 'joinMultiplies', rowsIn: 20_000, rowsOut: 400_000 }])
})

test('nobody gets the plan of a statement that they may not see', async () => {
  const { app, admin, run } = await setUp()
  const queryId = await run('SELECT 1')
  const other = await app.user()
  const stranger = await app.stranger()
  for (const user of [other, stranger])
    expect((await user.call(query.plan, { queryId })).code).toBe(CODES.NotFound.code)
  expect((await admin.call(query.plan, { queryId: 'none' })).code).toBe(CODES.BadInput.code)
})

test('a sort that does not fit into memory is said with the bytes that were written to disk', async () => {
  const provider = createEmbeddedInProcess()
  const space = await testSpace()
  const engine = await provider.open({ ...space, memoryBytes: 64 * 1024 ** 2, tempBytes: 4 * 1024 ** 3 })
  const session = await openSession(engine)
  const sql = `SELECT count(*) FROM
    (SELECT md5(i::VARCHAR) || md5((i + 1)::VARCHAR) AS h FROM range(1200000) t(i) ORDER BY h OFFSET 10)`
  const options = { ...rowsUpTo(1), profile: must(engine.profiling) }
  const outcome = (await session.execute(sql, options).outcome) as FinishedOutcome
  await engine.close()
  await provider.close()
  expect(outcome).toMatchObject({ state: 'finished' })
  const plan = must(outcome.profile) as Plan
  const advice = adviceOn(plan, outcome.measured?.peakSpillBytes ?? null)
  expect(advice).toMatchObject([{ advice: 'spills', rowsIn: 1_200_000 }])
  expect(advice[0]?.bytes).toBeGreaterThan(1024 ** 2)
  expect(listed(plan)[advice[0]?.operator ?? -1]).toMatchObject({ kind: 'order' })
})
