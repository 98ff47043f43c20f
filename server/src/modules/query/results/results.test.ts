import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CODES, LIMITS, query } from '@boathouse/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { HOURS, MINUTES } from '../../../testing/fake-clock.ts'
import { startApp, type TestApp, type TestUser } from '../../../testing/start-app.ts'

/** Wide and long enough to be kept as a file of values. */
const WIDE = 'SELECT n, repeat(n::VARCHAR, 400) AS wide FROM range(2000) t(n)'

const windowOf = (user: TestUser, queryId: string) =>
  user.call(query.resultWindow, { queryId, offset: 0, limit: 1 })
const cellOf = (user: TestUser, queryId: string, row = 0) =>
  user.call(query.resultCell, { queryId, row, column: 0 })
const exportOf = (user: TestUser, queryId: string, format: 'csv' | 'xlsx' = 'csv') =>
  user.call(query.exportResult, { queryId, format })

/** The answers of everything that reads a kept result. */
async function answersOf(user: TestUser, queryId: string) {
  const answers = [
    await windowOf(user, queryId),
    await cellOf(user, queryId),
    await exportOf(user, queryId),
    await exportOf(user, queryId, 'xlsx'),
  ]
  return answers.map(({ code, message }) => ({ code, message }))
}

async function keep(user: TestUser, sql: string): Promise<string> {
  const channel = await user.channel()
  const [answer] = await channel.run(sql)
  expect(answer).toMatchObject({ resultKept: true, errMsg: '' })
  return answer?.queryId ?? ''
}

const withdrawRoles = (app: TestApp, user: TestUser) =>
  app.store.db
    .updateTable('user_roles')
    .set({ active: false })
    .where('user_id', 'in', app.store.db.selectFrom('users').select('user_id').where('name', '=', user.name))
    .execute()

test('who may no longer run a statement does not get its kept rows either, in any form', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const reader = await app.user(['db_admin'])
  const queryId = await keep(reader, 'SELECT 42')
  const made = await exportOf(reader, queryId)
  expect(new Set((await answersOf(reader, queryId)).map(({ code }) => code))).toEqual(
    new Set([CODES.Ok.code]),
  )

  await withdrawRoles(app, reader)
  const refused = await answersOf(reader, queryId)
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set([CODES.NoPermission.code]))
  expect(refused[0]?.message).toContain('database administrator')

  const exports = join(app.folders.directoryOf(app.accountId), 'exports')
  const before = (await readdir(exports)).length
  const link = await app.http.inject(made.data.url)
  expect(link.json()).toMatchObject({ code: CODES.NoPermission.code, data: null })
  expect(await readdir(exports)).toHaveLength(before - 1)
  expect((await app.http.inject(made.data.url)).json()).toMatchObject({ code: CODES.NotFound.code })
})

test('when the file of a result is gone, everyone who asks for its rows hears the same', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await keep(admin, WIDE)
  const results = join(app.folders.directoryOf(app.accountId), 'results')
  await expect.poll(() => readdir(results)).toContain(`${queryId}.parquet`)
  await rm(join(results, `${queryId}.parquet`))
  const message = 'The rows of this query are no longer kept. Run it again to see them.'
  const expected = { code: CODES.ResultExpired.code, message }
  expect(await answersOf(admin, queryId)).toEqual([expected, expected, expected, expected])
})

test('a damaged file of a result is reported in words', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await keep(admin, WIDE)
  const results = join(app.folders.directoryOf(app.accountId), 'results')
  await expect.poll(() => readdir(results)).toContain(`${queryId}.parquet`)
  await writeFile(join(results, `${queryId}.parquet`), 'no longer what it was')
  const message =
    'The rows of this query were kept, but their file is damaged and cannot be read. Run it again to see them.'
  const expected = { code: CODES.ResultExpired.code, message }
  expect(await answersOf(admin, queryId)).toEqual([expected, expected, expected, expected])
})

test('a cell that the result does not have is not there, though the result is', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await keep(admin, 'SELECT 42')
  expect(await cellOf(admin, queryId, 1)).toMatchObject({
    code: CODES.NotFound.code,
    message: 'There is no such cell in this result.',
  })
})

test('a link that is too old leaves no file behind', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const { data } = await exportOf(admin, await keep(admin, 'SELECT 42'))
  app.clock.advance(HOURS / 6)
  expect((await app.http.inject(data.url)).json()).toMatchObject({ code: CODES.NotFound.code })
  expect(await readdir(join(app.folders.directoryOf(app.accountId), 'exports'))).toEqual([])
})

test('a value is answered by parts of bounded length', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await keep(admin, `SELECT repeat('é🎉', 700000) AS long`)
  const partOf = async (part: { offset?: number; length?: number }) =>
    (await admin.call(query.resultCell, { queryId, row: 0, column: 0, ...part })).data
  const first = await partOf({})
  expect([first.text?.length, first.length]).toEqual([LIMITS.cellPartLength, 2_100_000])
  let whole = ''
  while (whole.length < first.length) whole += (await partOf({ offset: whole.length })).text
  expect(whole).toBe('é🎉'.repeat(700_000))
  const refused = await admin.call(query.resultCell, {
    queryId,
    row: 0,
    column: 0,
    length: LIMITS.cellPartLength + 1,
  })
  expect(refused.code).toBe(CODES.BadInput.code)
})

test('expiry, quota and deletion start no engine and no reader', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await keep(admin, WIDE)
  const results = join(app.folders.directoryOf(app.accountId), 'results')
  await expect.poll(() => readdir(results)).toContain(`${queryId}.parquet`)
  for (const { id } of app.compute.running()) await app.compute.stop(id, new Error('suspended'))
  app.clock.advance(2 * HOURS)
  await app.compute.endUnusedEngines()
  app.engines.failNextOpen('no engine is needed to look after results')
  app.engines.openReader = () => Promise.reject(new Error('no reader is needed to look after results'))
  await app.results.keepAllWithinQuota()
  await app.results.keepWithinQuota(app.accountId)
  expect(await readdir(results)).toEqual([`${queryId}.parquet`])
  app.clock.advance(23 * HOURS)
  await app.results.expire()
  expect(await readdir(results)).toEqual([])
  expect((await windowOf(await app.admin(), queryId)).code).toBe(CODES.ResultExpired.code)
})

test('the size of a result is read once; files that nobody knows go after an hour', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await keep(admin, WIDE)
  const results = join(app.folders.directoryOf(app.accountId), 'results')
  await expect.poll(() => readdir(results)).toContain(`${queryId}.parquet`)
  await app.results.keepWithinQuota(app.accountId)
  const version = () =>
    app.store.db
      .selectFrom('statements')
      .select([sql<string>`xmin`.as('version'), 'result_bytes'])
      .where('query_id', '=', queryId)
      .executeTakeFirstOrThrow()
  const measured = await version()
  expect(measured.result_bytes).toBe((await stat(join(results, `${queryId}.parquet`))).size)
  await app.results.keepWithinQuota(app.accountId)
  expect(await version()).toEqual(measured)

  const unknown = join(results, `${randomUUID()}.json`)
  await writeFile(unknown, '{}')
  await utimes(unknown, app.clock.now(), app.clock.now())
  app.clock.advance(30 * MINUTES)
  await app.results.removeUnknown()
  expect(await readdir(results)).toHaveLength(2)
  app.clock.advance(HOURS)
  await app.results.removeUnknown()
  expect(await readdir(results)).toEqual([`${queryId}.parquet`])
})

test('pain 18: rows are read and exported while every warehouse is suspended and no engine runs', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await keep(admin, WIDE)
  const results = join(app.folders.directoryOf(app.accountId), 'results')
  await expect.poll(() => readdir(results)).toContain(`${queryId}.parquet`)
  for (const { id } of app.compute.running()) await app.compute.stop(id, new Error('suspended'))
  app.clock.advance(HOURS)
  await app.compute.endUnusedEngines()
  app.engines.failNextOpen('no engine is needed to read')
  expect(new Set((await answersOf(admin, queryId)).map(({ code }) => code))).toEqual(new Set([CODES.Ok.code]))
})
