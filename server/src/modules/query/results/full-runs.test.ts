import { CODES, editor, query } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../../testing/start-app.ts'

const MANY = 'SELECT range AS n FROM range(12345) ORDER BY n DESC'

async function shown(user: TestUser, sql: string) {
  const channel = await user.channel()
  const answers = await channel.run(sql)
  return answers.at(-1)?.queryId ?? ''
}

const begin = (user: TestUser, queryId: string, requestId = 'all-of-it') =>
  user.call(query.runInFull, { queryId, requestId })
const stateOf = (user: TestUser, requestId = 'all-of-it') => user.call(query.fullRunState, { requestId })

async function ended(user: TestUser, requestId?: string): Promise<void> {
  const state = async () => (await stateOf(user, requestId)).data.state
  await expect.poll(state, { timeout: 20_000 }).not.toMatch(/accepted|running/)
}

test('pain 17: all rows of a limited statement are a file, made by running it in full', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const limited = await shown(admin, MANY)
  const { data: window } = await admin.call(query.resultWindow, { queryId: limited, offset: 0, limit: 10 })
  expect(window).toMatchObject({ totalRows: 1000, complete: false })

  expect((await begin(admin, limited)).data).toEqual({ requestId: 'all-of-it' })
  await ended(admin)
  const { data: state } = await stateOf(admin)
  expect(state).toMatchObject({ state: 'finished', rows: 12345, error: '' })
  const { data: made } = await admin.call(query.exportResult, { queryId: state.queryId, format: 'csv' })
  const { body } = await app.http.inject(made.url)
  expect(body.trimEnd().split(/\r?\n/)).toHaveLength(12346)
})

test('it runs where the statement ran, and once however often it is asked for', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const channel = await admin.channel()
  await channel.run('CREATE DATABASE boats; CREATE TABLE boats.oars AS FROM range(5)')
  const queryId = (await channel.run('USE boats; SELECT * FROM oars')).at(-1)?.queryId ?? ''
  const [one, other] = await Promise.all([begin(admin, queryId), begin(admin, queryId)])
  expect([one.code, other.code]).toEqual([CODES.Ok.code, CODES.Ok.code])
  await ended(admin)
  expect((await stateOf(admin)).data).toMatchObject({ state: 'finished', rows: 5 })
  const { data } = await admin.call(query.history, {})
  expect(data.entries.filter(({ requestId }) => requestId === 'all-of-it')).toMatchObject([
    { sql: 'SELECT * FROM oars', database: 'boats', door: 'service' },
  ])
})

test('nobody runs what is not theirs, nor what they may not read any more', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  await shown(admin, 'CREATE TABLE secrets AS SELECT 42 AS n')
  const reader = await app.user(['db_admin'])
  const queryId = await shown(reader, 'SELECT * FROM secrets')
  expect((await begin(admin, queryId)).code).toBe(CODES.NotFound.code)
  expect((await (await app.stranger()).call(query.runInFull, { queryId, requestId: 'x' })).code).toBe(
    CODES.NotFound.code,
  )
  expect((await begin(admin, crypto.randomUUID())).code).toBe(CODES.NotFound.code)
  expect((await stateOf(admin, 'never-sent')).code).toBe(CODES.NotFound.code)

  await app.store.db.updateTable('user_roles').set({ active: false }).execute()
  expect((await begin(reader, queryId)).code).toBe(CODES.Ok.code)
  await ended(reader)
  expect((await stateOf(reader)).data.error).toContain('SELECT on TABLE default_catalog.main.secrets')
  expect((await stateOf(admin)).code).toBe(CODES.NotFound.code)
})

test('only what selects is run for a file', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await shown(admin, 'CREATE TABLE t (a INT)')
  expect(await begin(admin, queryId)).toMatchObject({ code: CODES.BadInput.code })
})

test('it is stopped as any other request', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const admin = await app.admin()
  const queryId = await shown(admin, 'SELECT a.range, b.range FROM range(1000000) a, range(1000000) b')
  await begin(admin, queryId)
  await expect.poll(async () => (await stateOf(admin)).data.state).toBe('running')
  await admin.call(editor.kill, { requestId: 'all-of-it' })
  await ended(admin)
  expect((await stateOf(admin)).data).toMatchObject({ state: 'cancelled' })
})
