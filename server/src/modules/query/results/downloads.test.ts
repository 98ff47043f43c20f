import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CODES, LIMITS, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { MINUTES } from '../../../testing/fake-clock.ts'
import { startApp, type TestApp, type TestUser } from '../../../testing/start-app.ts'

async function keep(user: TestUser, sql: string): Promise<string> {
  const channel = await user.channel()
  const [answer] = await channel.run(sql)
  expect(answer).toMatchObject({ resultKept: true, errMsg: '' })
  return answer?.queryId ?? ''
}

const exportOf = (user: TestUser, queryId: string, format: 'csv' | 'xlsx' = 'csv') =>
  user.call(query.exportResult, { queryId, format })

const exportsOf = (app: TestApp) => join(app.folders.directoryOf(app.accountId), 'exports')

/** Files of others that wait to be fetched, as far as the books know. */
async function occupy(app: TestApp, queryId: string, bytes: number): Promise<void> {
  const { user_id } = await app.store.db.selectFrom('users').select('user_id').executeTakeFirstOrThrow()
  await app.store.db
    .insertInto('downloads')
    .values({
      code_hash: Buffer.from('another'),
      account_id: app.accountId,
      user_id,
      query_id: queryId,
      format: 'csv',
      file: join(exportsOf(app), 'another.csv'),
      file_name: 'another.csv',
      bytes,
      made_at: app.clock.now(),
      expires_at: new Date(app.clock.now().getTime() + 10 * MINUTES),
    })
    .execute()
}

test('a file for which there is no room is refused before it is made, and made when others are gone', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await keep(admin, 'SELECT 42')
  await occupy(app, queryId, LIMITS.exportBytesPerUser - 1000)
  const refused = await exportOf(admin, queryId)
  expect(refused.code).toBe(CODES.QuotaExceeded.code)
  expect(refused.message).toContain('is 1536 MiB per account and 1024 MiB per user')
  expect(await readdir(exportsOf(app)).catch(() => [])).toEqual([])
  app.clock.advance(10 * MINUTES)
  await app.downloads.expire()
  expect((await exportOf(admin, queryId)).code).toBe(CODES.Ok.code)
})

test('two exports at once do not both get the last room', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await keep(admin, 'SELECT 42')
  await occupy(app, queryId, LIMITS.exportBytesPerUser - 200 * 1024 * 1024)
  const held = await app.store.pool.connect()
  await held.query('begin')
  await held.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [`downloads ${app.accountId}`])
  const both = Promise.all([exportOf(admin, queryId), exportOf(admin, queryId, 'xlsx')])
  await expect
    .poll(async () => {
      const waiting = await app.store.pool.query(
        `select from pg_locks where locktype = 'advisory' and not granted and database =
           (select oid from pg_database where datname = current_database())`,
      )
      return waiting.rowCount
    })
    .toBe(2)
  await held.query('commit')
  held.release()
  const codes = (await both).map(({ code }) => code)
  expect(new Set(codes)).toEqual(new Set([CODES.Ok.code, CODES.QuotaExceeded.code]))
})

test('a file counts with its size once it is made, and no more when it was fetched', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await keep(admin, 'SELECT 42')
  const bytes = async () => {
    const rows = await app.store.db.selectFrom('downloads').select('bytes').execute()
    return rows.map((row) => row.bytes)
  }
  const { data } = await exportOf(admin, queryId)
  expect(await bytes()).toEqual([data.sizeBytes])
  expect((await app.http.inject(data.url)).statusCode).toBe(200)
  await expect.poll(bytes).toEqual([])
  expect(await readdir(exportsOf(app))).toEqual([])
})

test('files take their room from the quota of kept results, of which the oldest go', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const old = await keep(admin, `SELECT repeat('x', 2000) FROM range(500)`)
  const results = join(app.folders.directoryOf(app.accountId), 'results')
  await expect.poll(() => readdir(results)).not.toEqual([])
  await occupy(app, old, LIMITS.keptBytesPerAccount)
  await app.results.keepWithinQuota(app.accountId, { except: old })
  expect(await readdir(results)).toHaveLength(1)
  await app.results.keepWithinQuota(app.accountId)
  expect(await readdir(results)).toEqual([])
})

test('what an export left behind in a crash is removed at the next start and by the job, and nothing else', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await keep(admin, 'SELECT 42')
  const { data } = await exportOf(admin, queryId)
  const [made = ''] = await readdir(exportsOf(app))
  const leave = async () => {
    for (const name of ['left.csv', 'left.xlsx.new', 'left.json.values.new'])
      await writeFile(join(exportsOf(app), name), 'left over')
  }
  await leave()
  await app.downloads.expire()
  expect(await readdir(exportsOf(app))).toEqual([made])
  await leave()
  await occupy(app, queryId, 1000)
  await app.store.db.updateTable('downloads').set({ made_at: null }).where('bytes', '=', 1000).execute()
  await app.downloads.recover()
  expect(await readdir(exportsOf(app))).toEqual([made])
  expect((await app.store.db.selectFrom('downloads').select('file').execute()).length).toBe(1)
  expect((await app.http.inject(data.url)).statusCode).toBe(200)
})

test('what a sheet cannot hold is refused with another way, and leaves no file', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await keep(admin, `SELECT repeat('x', 40000) AS wide`)
  const refused = await exportOf(admin, queryId, 'xlsx')
  expect(refused.code).toBe(CODES.LimitReached.code)
  expect(refused.message).toMatch(/column wide has 40000 characters.*CSV/)
  expect(await readdir(exportsOf(app))).toEqual([])
})

test('an export that is not under way, or is somebody else’s, can be neither followed nor stopped', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const [admin, other] = [await app.admin(), await app.user(['db_admin'])]
  const exportId = 'no-such-export'
  expect((await admin.call(query.exportState, { exportId })).code).toBe(CODES.NotFound.code)
  expect((await admin.call(query.stopExport, { exportId })).code).toBe(CODES.NotFound.code)
  expect((await admin.call(query.exportState, { exportId: 'a b' })).code).toBe(CODES.BadInput.code)
  const queryId = await keep(admin, 'SELECT i, i::VARCHAR AS t FROM range(1000000) t(i)')
  const made = admin.call(query.exportResult, { queryId, format: 'xlsx', exportId })
  await expect.poll(async () => (await admin.call(query.exportState, { exportId })).code).toBe(CODES.Ok.code)
  expect((await other.call(query.stopExport, { exportId })).code).toBe(CODES.NotFound.code)
  expect((await admin.call(query.stopExport, { exportId })).code).toBe(CODES.Ok.code)
  expect((await made).code).toBe(CODES.Cancelled.code)
  expect(await readdir(exportsOf(app))).toEqual([])
})
