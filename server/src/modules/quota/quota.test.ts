import { randomUUID } from 'node:crypto'
import { CODES, editor, KEPT_LIMITS, type KeptKind, query, quota } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { whileOtherWrites } from '../../testing/locked-out.ts'
import { sharedApp, startApp, type TestApp, type TestUser } from '../../testing/start-app.ts'
import { WHOLE_ACCOUNT } from './store.ts'

const { code: OK } = CODES.Ok
const { code: FULL } = CODES.QuotaExceeded
const KIB = 1024

const app = sharedApp()

const userIdOf = async ({ store }: TestApp, { name }: TestUser): Promise<string> =>
  (await store.db.selectFrom('users').select('user_id').where('name', '=', name).executeTakeFirstOrThrow())
    .user_id

/** As if so much were kept already, but for what is left of it. */
async function leave(
  running: TestApp,
  whose: TestUser | 'account',
  kind: KeptKind,
  left: number,
): Promise<void> {
  const userId = whose === 'account' ? WHOLE_ACCOUNT : await userIdOf(running, whose)
  const most = KEPT_LIMITS[kind][whose === 'account' ? 'account' : 'user']
  await running.store.pool.query(
    `insert into kept_bytes values ($1, $2, $3, '', $4)
     on conflict (account_id, user_id, kind, part) do update set bytes = $4`,
    [running.accountId, userId, kind, most - left],
  )
}

const draft = (sql: string) => ({ tabName: 'Oars', sql, folderId: '', catalog: '', database: '' })
const save = (user: TestUser, sql: string) => user.call(editor.createTab, draft(sql))
const text = (bytes: number) => 'x'.repeat(bytes)
const usedBy = async (user: TestUser, kind: KeptKind) =>
  (await user.call(quota.own, {})).data.kept.find((one) => one.kind === kind)?.bytes

test('a query for which there is no room is refused, says what is full and what to do, and is not there', async () => {
  const running = await app()
  const ada = await running.user()
  await leave(running, ada, 'queries', 10 * KIB)
  const refused = await save(ada, text(11 * KIB))
  expect(refused.code).toBe(FULL)
  expect(refused.message).toMatch(
    /^Your saved queries \(with those in the bin\) may take 50 MB in total, and this would make 50 MB\. Delete/,
  )
  const tree = (await ada.call(editor.listTabTree, {})).data
  expect(tree.tabs).toEqual([])
  expect((await save(ada, text(9 * KIB))).code).toBe(OK)
})

test('a text that grows beyond the room is refused and stays; one that shrinks is always saved', async () => {
  const running = await app()
  const ada = await running.user()
  const { data: tab } = await save(ada, text(2_000))
  await leave(running, ada, 'queries', 10)
  const change = { tabId: tab.tabId, revision: tab.revision }
  expect((await ada.call(editor.updateSql, { ...change, sql: text(3_000) })).code).toBe(FULL)
  expect((await ada.call(editor.tabDetail, { tabId: tab.tabId })).data.sql).toHaveLength(2_000)
  await leave(running, ada, 'queries', -5_000)
  expect((await ada.call(editor.updateSql, { ...change, sql: text(1_000) })).code).toBe(OK)
  expect(
    (await ada.call(editor.updateTabName, { tabId: tab.tabId, tabName: 'A much longer name' })).code,
  ).toBe(FULL)
})

test('a chart counts too', async () => {
  const running = await app()
  const ada = await running.user()
  const { data: tab } = await save(ada, 'select 1')
  await leave(running, ada, 'queries', 10)
  const chart = { kind: 'bar' as const, x: 'month', y: ['sales'], shown: true }
  expect((await ada.call(editor.updateTabChart, { tabId: tab.tabId, chart })).code).toBe(FULL)
})

test('the bin counts until it is emptied, which is permanent and does not affect other users', async () => {
  const running = await app()
  const [ada, eve] = [await running.user(), await running.user()]
  const [one, other] = [await save(ada, text(8 * KIB)), await save(ada, text(8 * KIB))]
  const tabIds = [one.data.tabId, other.data.tabId]
  await ada.call(editor.deleteTabs, { tabIds })
  const before = (await usedBy(ada, 'queries')) ?? 0
  expect(before).toBeGreaterThan(16 * KIB)
  expect((await eve.call(editor.emptyBin, { tabIds })).data).toEqual({ deleted: 0 })
  expect((await ada.call(editor.emptyBin, { tabIds: tabIds.slice(0, 1) })).data).toEqual({ deleted: 1 })
  expect((await ada.call(editor.emptyBin, {})).data).toEqual({ deleted: 1 })
  expect(await usedBy(ada, 'queries')).toBe(0)
  expect((await ada.call(editor.restoreTab, { tabId: tabIds[0] ?? '' })).code).toBe(CODES.NotFound.code)
})

test('two who save at once do not both get the last room', async () => {
  const running = await app()
  const ada = await running.user()
  const userId = await userIdOf(running, ada)
  await leave(running, ada, 'queries', 10 * KIB)
  const insert = `insert into editor_tabs (tab_id, account_id, user_id, name, sql, position, created_at, updated_at)
    values ('${randomUUID()}', '${running.accountId}', '${userId}', 'other', repeat('x', 6 * 1024), 1, now(), now())`
  const refused = await whileOtherWrites(running.store.pool, [insert], () => save(ada, text(6 * KIB)))
  expect(refused.code).toBe(FULL)
  const parallel = await Promise.all(Array.from({ length: 6 }, () => save(ada, text(2_000))))
  expect(parallel.map(({ code }) => code).filter((code) => code === OK).length).toBe(2)
})

test('the account has a quota of its own, and the message says so', async () => {
  const running = await startApp()
  const ada = await running.user()
  await leave(running, 'account', 'queries', 1_000)
  const refused = await save(ada, text(2_000))
  expect(refused.code).toBe(FULL)
  expect(refused.message).toMatch(
    /^All saved queries \(with those in the bin\) of this account may take 1024 MB/,
  )
  const foreign = await (await running.otherAccount()).user()
  expect((await save(foreign, text(2_000))).code).toBe(OK)
})

const long = (n: number) => `select /* ${text(6_000)} */ ${n} as n`

test('for a long text the oldest are shortened, which the history says; the same request is still known', async () => {
  const running = await startApp()
  const ada = await running.user()
  const channel = await ada.channel()
  const requestId = randomUUID()
  const [first] = await channel.run(long(1), { requestId })
  const [second] = await channel.run(long(2))
  await running.endsWritten()
  expect(await usedBy(ada, 'history')).toBeGreaterThan(12_000)
  await leave(running, ada, 'history', 15_000)
  const [third] = await channel.run(long(3))
  await running.endsWritten()
  const detail = async (queryId = '') => (await ada.call(query.detail, { queryId })).data.entry
  expect(await detail(first?.queryId)).toMatchObject({
    sql: expect.stringMatching(/^select \/\* xxx/),
    shortenedFromBytes: Buffer.byteLength(long(1)),
  })
  expect((await detail(first?.queryId)).sql).toHaveLength(1_000)
  expect(await detail(third?.queryId)).toMatchObject({ sql: long(3), shortenedFromBytes: null })
  expect((await detail(second?.queryId)).sql.length).toBeLessThanOrEqual(long(2).length)
  const [again] = await channel.run(long(1), { requestId })
  expect(again).toMatchObject({ queryId: first?.queryId })
  const [other] = await channel.run(`${long(1)} limit 1`, { requestId })
  expect(other?.errCode).toBe(CODES.Conflict.code)
})

test('a long text that finds no room even so is refused before it runs; short ones run', async () => {
  const running = await startApp()
  const ada = await running.user()
  const channel = await ada.channel()
  await leave(running, ada, 'history', 1_000)
  const [refused] = await channel.run(long(1))
  expect([refused?.errCode, refused?.errMsg]).toEqual([
    FULL,
    expect.stringMatching(/^Your long texts of statements/),
  ])
  const [short] = await channel.run('select 1 as n')
  expect(short?.errCode).toBe(OK)
  const { rowCount } = await running.store.pool.query(
    'select 1 from statements where octet_length(sql) > 4096',
  )
  expect(rowCount).toBe(0)
})

test('a failed statement counts as any other, and of a long message only the beginning is kept', async () => {
  const running = await startApp()
  const ada = await running.user()
  const channel = await ada.channel()
  for (let n = 0; n < 3; n++) await channel.run(`selekt ${text(5_000)}`)
  await running.endsWritten()
  expect(await usedBy(ada, 'history')).toBeGreaterThan(15_000)
  const { rows } = await running.store.pool.query<{ bytes: number }>(
    'select max(octet_length(error::text)) as bytes from statements',
  )
  expect(rows[0]?.bytes).toBeLessThan(20_000)
})

test('ordinary statements are not counted', async () => {
  const running = await app()
  const ada = await running.user()
  await (await ada.channel()).run('select 1; select 2; select 3')
  await running.endsWritten()
  const { rowCount } = await running.store.pool.query(
    "select 1 from kept_bytes where kind = 'history' and user_id = $1",
    [await userIdOf(running, ada)],
  )
  expect(rowCount).toBe(0)
})

test('everyone sees their own use, account administrators that of the account and who has most of it', async () => {
  const running = await startApp()
  const [admin, ada] = [await running.admin(), await running.user()]
  await save(ada, text(5 * KIB))
  expect((await ada.call(quota.account, {})).code).toBe(CODES.NoPermission.code)
  const { kept, users } = (await admin.call(quota.account, {})).data
  expect(kept.find(({ kind }) => kind === 'queries')).toMatchObject({ most: KEPT_LIMITS.queries.account })
  expect(users[0]).toMatchObject({ user: ada.name, kind: 'queries' })
  const foreign = await (await running.otherAccount()).admin()
  expect((await foreign.call(quota.account, {})).data.users).toEqual([])
})

test('a task and a scheduled task for whose text there is no room are refused', async () => {
  const running = await app()
  const admin = await running.admin()
  const channel = await admin.channel()
  await channel.run('CREATE TABLE main.oars (n INTEGER)')
  await leave(running, admin, 'tasks', 20)
  for (const sql of [
    'SUBMIT TASK AS INSERT INTO main.oars VALUES (1), (2), (3)',
    'SUBMIT TASK later SCHEDULE EVERY(INTERVAL 1 DAY) AS INSERT INTO main.oars VALUES (1), (2)',
  ]) {
    const [refused] = await channel.run(sql)
    expect([sql, refused?.errCode, refused?.errMsg]).toEqual([
      sql,
      FULL,
      expect.stringMatching(/^Your texts of tasks/),
    ])
  }
  await leave(running, admin, 'tasks', 10_000)
})
