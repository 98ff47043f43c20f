import { CODES, query, result, warehouse } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { auditedAfter, auditedSoFar } from '../../testing/audit-entries.ts'
import { sharedApp, type TestUser } from '../../testing/start-app.ts'

const app = sharedApp({}, { engine: 'embedded' })

async function run(user: TestUser, sql: string): Promise<string> {
  const answers = await (await user.channel()).run(sql)
  expect(answers.map(({ errMsg }) => errMsg)).toEqual(answers.map(() => ''))
  return answers.at(-1)?.queryId ?? ''
}

/** Entries that were written while the work was done. */
async function recordedBy(work: () => Promise<unknown>) {
  const running = await app()
  const before = await auditedSoFar(running)
  await work()
  return auditedAfter(running, before)
}

test('a warehouse that a statement creates, alters, renames or drops is recorded once, with who and from where', async () => {
  const admin = await (await app()).admin()
  const by = { name: admin.name, clientIp: '127.0.0.1' }
  const recorded = await recordedBy(async () => {
    await run(admin, "CREATE WAREHOUSE dock SIZE = 'X-Small'")
    await run(admin, 'CREATE WAREHOUSE IF NOT EXISTS dock')
    await run(admin, 'ALTER WAREHOUSE dock SET AUTO_SUSPEND = 7')
    await run(admin, "ALTER WAREHOUSE dock SET SIZE = 'Small'")
    await run(admin, 'ALTER WAREHOUSE dock RENAME TO pier')
    await run(admin, 'DROP WAREHOUSE pier')
    await run(admin, 'DROP WAREHOUSE IF EXISTS pier')
  })
  expect(recorded.map(({ action, object }) => `${action} ${object.name}`)).toEqual([
    'warehouse.create dock',
    'warehouse.alter dock',
    'warehouse.alter dock',
    'warehouse.rename pier',
    'warehouse.drop pier',
  ])
  expect(recorded.every((entry) => entry.by.name === by.name && entry.by.clientIp === by.clientIp)).toBe(true)
  expect(recorded[2]).toMatchObject({ before: { size: 'X-Small' }, after: { size: 'Small' } })
})

test('a warehouse that a call creates and deletes is recorded in the same words', async () => {
  const admin = await (await app()).admin()
  const recorded = await recordedBy(async () => {
    const { data } = await admin.call(warehouse.create, { name: 'slip' })
    await admin.call(warehouse.update, { warehouseId: data.warehouseId, name: 'ramp' })
    await admin.call(warehouse.delete, { warehouseId: data.warehouseId })
  })
  expect(recorded.map(({ action }) => action)).toEqual([
    'warehouse.create',
    'warehouse.rename',
    'warehouse.drop',
  ])
})

test('a refused action is not recorded as done', async () => {
  const running = await app()
  const [admin, nobody] = [await running.admin(), await running.user([])]
  const recorded = await recordedBy(async () => {
    await (await nobody.channel()).run('CREATE WAREHOUSE mine; CREATE DATABASE mine')
    await (await nobody.channel()).run('CREATE TABLE main.mine (id INTEGER)')
    await (await admin.channel()).run('DROP WAREHOUSE default_warehouse')
  })
  expect(recorded).toEqual([])
})

test('an export and its download are recorded with statement, format, rows and bytes, before anything is sent', async () => {
  const running = await app()
  const admin = await running.admin()
  const queryId = await run(admin, 'SELECT * FROM range(3)')
  let sizeBytes = 0
  const recorded = await recordedBy(async () => {
    const { data } = await admin.call(query.exportResult, { queryId, format: 'csv' })
    sizeBytes = data.sizeBytes
    expect((await running.http.inject({ method: 'HEAD', url: data.url })).statusCode).toBe(200)
    expect((await running.http.inject({ method: 'GET', url: data.url })).statusCode).toBe(200)
    expect((await running.http.inject({ method: 'GET', url: data.url })).statusCode).toBe(404)
  })
  expect(recorded).toMatchObject([
    {
      action: 'result.export',
      by: { name: admin.name },
      object: { type: 'result', id: queryId },
      after: { owner: admin.name, format: 'csv', rows: 3, bytes: sizeBytes },
    },
    { action: 'result.download', by: { name: admin.name }, after: { format: 'csv', bytes: sizeBytes } },
  ])
})

test('a user who opens a shared result is recorded once for each sharing, however many rows they read', async () => {
  const running = await app()
  const [admin, clerk, other] = [await running.admin(), await running.user([]), await running.user([])]
  await run(admin, 'CREATE TABLE main.oars AS SELECT 1 AS n')
  for (const { name } of [clerk, other]) await run(admin, `GRANT SELECT ON main.oars TO ${name}`)
  const queryId = await run(admin, 'SELECT n FROM main.oars')
  expect((await admin.call(result.share, { queryId })).code).toBe(CODES.Ok.code)
  const look = (user: TestUser) => user.call(query.resultWindow, { queryId, offset: 0, limit: 1 })
  const recorded = await recordedBy(async () => {
    await look(admin)
    await clerk.call(result.facts, { queryId })
    await Promise.all([look(clerk), look(clerk), look(other), look(other)])
    await clerk.call(query.resultCell, { queryId, row: 0, column: 0 })
  })
  expect(recorded.map(({ action, by }) => `${action} ${by.name}`).toSorted()).toEqual(
    [`result.view ${clerk.name}`, `result.view ${other.name}`].toSorted(),
  )
  expect(recorded[0]).toMatchObject({ object: { type: 'result', id: queryId }, after: { owner: admin.name } })
  running.clock.advance(1000)
  const again = await recordedBy(async () => {
    await admin.call(result.share, { queryId })
    await look(clerk)
  })
  expect(again.map(({ action }) => action)).toEqual(['result.share', 'result.view'])
  const refused = await recordedBy(async () => {
    await admin.call(result.unshare, { queryId })
    expect((await look(clerk)).code).toBe(CODES.NotFound.code)
  })
  expect(refused.map(({ action }) => action)).toEqual(['result.unshare'])
})
