import { CODES, query, result, resultWork, usage, warehouse } from '@boathouse/contract'
import { describe, expect, test } from 'vitest'
import { HOURS, MINUTES } from '../../../testing/fake-clock.ts'
import { sharedApp, startApp, type TestApp, type TestUser } from '../../../testing/start-app.ts'

async function run(user: TestUser, sql: string) {
  const answers = await (await user.channel()).run(sql)
  expect(answers.map(({ errMsg }) => errMsg)).toEqual(answers.map(() => ''))
  return answers.at(-1)?.queryId ?? ''
}

/** The codes of everything that reads a kept result. */
async function codesFor(user: TestUser, queryId: string) {
  const wanted = { queryId, offset: 0, limit: 1 }
  return [
    await user.call(query.resultWindow, wanted),
    await user.call(result.arrangedRows, { ...wanted, sort: null, filters: [] }),
    await user.call(query.resultCell, { queryId, row: 0, column: 0 }),
    await user.call(query.exportResult, { queryId, format: 'csv' }),
    await user.call(result.facts, { queryId }),
    await user.call(resultWork.columnStatistics, { queryId, column: 0, filters: [] }),
  ].map(({ code }) => code)
}

const all = (code: number) => Array.from({ length: 6 }, () => code)
const share = (user: TestUser, queryId: string) => user.call(result.share, { queryId })

async function boats(app: TestApp) {
  const admin = await app.admin()
  const [clerk, other] = [await app.user([]), await app.user([])]
  await run(
    admin,
    `CREATE DATABASE boats; CREATE TABLE boats.oars AS SELECT 1 AS n; CREATE TABLE boats.sails AS SELECT 2 AS n`,
  )
  await run(admin, `GRANT SELECT ON boats.oars TO ${clerk.name}`)
  return { app, admin, clerk, other }
}

describe('a link to a kept result', () => {
  const app = sharedApp({}, { engine: 'embedded' })
  let made: ReturnType<typeof boats> | undefined
  const atBoats = async () => (made ??= boats(await app()))

  test('does not exist before it is shared, is refused to users who lack a privilege, and read by those who have them all', async () => {
    const { admin, clerk, other } = await atBoats()
    const queryId = await run(admin, 'SELECT n FROM boats.oars')
    expect(await codesFor(clerk, queryId)).toEqual(all(CODES.NotFound.code))
    expect((await share(clerk, queryId)).code).toBe(CODES.NotFound.code)

    expect((await share(admin, queryId)).code).toBe(CODES.Ok.code)
    expect(await codesFor(other, queryId)).toEqual(all(CODES.NoPermission.code))
    expect((await other.call(query.resultWindow, { queryId, offset: 0, limit: 1 })).message).toMatch(
      /^You do not have access to the rows of this query\. .*SELECT/,
    )
    expect(await codesFor(clerk, queryId)).toEqual(all(CODES.Ok.code))
    expect((await clerk.call(result.facts, { queryId })).data).toMatchObject({
      sql: 'SELECT n FROM boats.oars',
      user: admin.name,
      isOwn: false,
      isShared: true,
    })
    // To read it is not to own it.
    for (const refused of [await share(clerk, queryId), await clerk.call(result.unshare, { queryId })])
      expect(refused.code).toBe(CODES.NotFound.code)

    expect((await admin.call(result.unshare, { queryId })).code).toBe(CODES.Ok.code)
    expect(await codesFor(clerk, queryId)).toEqual(all(CODES.NotFound.code))
    expect((await admin.call(result.facts, { queryId })).data).toMatchObject({ isOwn: true, isShared: false })
  })

  test('is authorized again at every access, also for a file that was made before', async () => {
    const { app: own, admin, other } = await atBoats()
    const queryId = await run(admin, 'SELECT o.n FROM boats.oars o JOIN boats.sails s ON o.n < s.n')
    await share(admin, queryId)
    await run(admin, `GRANT SELECT ON boats.oars TO ${other.name}`)
    expect(await codesFor(other, queryId)).toEqual(all(CODES.NoPermission.code))
    await run(admin, `GRANT SELECT ON boats.sails TO ${other.name}`)
    expect(await codesFor(other, queryId)).toEqual(all(CODES.Ok.code))
    const { data } = await other.call(query.exportResult, { queryId, format: 'csv' })
    await run(admin, `REVOKE SELECT ON boats.sails FROM ${other.name}`)
    expect(await codesFor(other, queryId)).toEqual(all(CODES.NoPermission.code))
    expect((await own.http.inject(data.url)).json()).toMatchObject({ code: CODES.NoPermission.code })
  })

  test('of who may not do everything needs what they needed', async () => {
    const { admin, clerk, other } = await atBoats()
    const queryId = await run(clerk, 'SELECT n + 1 AS n FROM boats.oars')
    expect((await share(clerk, queryId)).code).toBe(CODES.Ok.code)
    await run(admin, `REVOKE SELECT ON boats.oars FROM ${other.name}`)
    expect(await codesFor(other, queryId)).toEqual(all(CODES.NoPermission.code))
    expect(await codesFor(admin, queryId)).toEqual(all(CODES.Ok.code))
  })

  test('cannot be had of what depends on who runs it, nor of what is no SELECT', async () => {
    const { admin } = await atBoats()
    for (const [sql, why] of [
      ['SELECT table_name FROM information_schema.tables', 'depends on who runs it'],
      ['SUMMARIZE SELECT 1 AS n', 'Only the result of a SELECT'],
    ] as const) {
      const refused = await share(admin, await run(admin, sql))
      expect(refused.code).toBe(CODES.Conflict.code)
      expect(refused.message).toContain(why)
    }
  })

  test('that reads no object is for everybody of the account, and for nobody else', async () => {
    const { app: own, admin, other } = await atBoats()
    const queryId = await run(admin, 'SELECT 42 AS n')
    await share(admin, queryId)
    expect(await codesFor(other, queryId)).toEqual(all(CODES.Ok.code))
    expect(await codesFor(await own.stranger(), queryId)).toEqual(all(CODES.NotFound.code))
  })

  test('is in the audit log', async () => {
    const { app: own, admin } = await atBoats()
    const queryId = await run(admin, 'SELECT 43 AS n')
    await share(admin, queryId)
    await admin.call(result.unshare, { queryId })
    const entries = await own.store.db.selectFrom('audit_entries').select('entry').orderBy('number').execute()
    const recorded = entries.map(({ entry }) => entry).filter((entry) => entry.includes(queryId))
    expect(recorded.map((entry) => /result\.\w+/.exec(entry)?.[0])).toEqual([
      'result.share',
      'result.unshare',
    ])
  })
})

test('a link ends with the result', async () => {
  const { app, admin, clerk } = await boats(await startApp({}, { engine: 'embedded' }))
  const queryId = await run(admin, 'SELECT n FROM boats.oars')
  const { data } = await share(admin, queryId)
  expect(new Date(data.expiresAt).getTime() - app.clock.now().getTime()).toBe(24 * HOURS)
  app.clock.advance(24 * HOURS)
  const late = await app.user([])
  expect(late.name).not.toBe(clerk.name)
  expect((await (await app.admin()).call(query.resultWindow, { queryId, offset: 0, limit: 1 })).code).toBe(
    CODES.ResultExpired.code,
  )
  await app.results.expire()
  expect(await app.store.db.selectFrom('shared_results').selectAll().execute()).toEqual([])
})

test('sharing a result bills nobody: no slot, no statement in a list, no warehouse that is resumed', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const { admin, clerk } = await boats(app)
  const queryId = await run(admin, 'SELECT n FROM boats.oars')
  await app.endsWritten()
  const [{ warehouseId } = { warehouseId: '' }] = (await admin.call(warehouse.list, {})).data.warehouses
  await admin.call(warehouse.suspend, { warehouseId })
  const before = {
    history: (await admin.call(query.history, {})).data,
    usage: (await admin.call(usage.summary, { month: '2026-03' })).data.total,
    statements: (await admin.call(usage.byStatement, { month: '2026-03' })).data,
  }
  expect((await share(admin, queryId)).code).toBe(CODES.Ok.code)
  // What had been resumed for it would be charged for this minute.
  app.clock.advance(1 * MINUTES)
  await app.warehouses.meter()
  expect((await admin.call(warehouse.list, {})).data.warehouses).toMatchObject([{ status: 'Suspended' }])
  expect((await admin.call(query.running, {})).data.entries).toEqual([])
  expect({
    history: (await admin.call(query.history, {})).data,
    usage: (await admin.call(usage.summary, { month: '2026-03' })).data.total,
    statements: (await admin.call(usage.byStatement, { month: '2026-03' })).data,
  }).toEqual(before)
  expect((await clerk.call(result.facts, { queryId })).data).toMatchObject({ isShared: true })
})
