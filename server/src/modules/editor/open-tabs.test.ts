import { CODES, editor, LIMITS } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'

type App = Awaited<ReturnType<typeof startApp>>
type User = Awaited<ReturnType<App['admin']>>

const DAY_MS = 24 * 3_600_000

const newTab = async (user: User, tabName: string) =>
  (await user.call(editor.createTab, { tabName, sql: `-- ${tabName}` })).data.tabId
const tabsOf = async (user: User) => (await user.call(editor.listTabTree, {})).data.tabs
const openOf = async (user: User) =>
  (await tabsOf(user))
    .filter(({ hidden }) => !hidden)
    .toSorted((one, other) => one.position - other.position)
    .map(({ tabName }) => tabName)

test('a tab that is hidden stays saved, and shows again behind the others when it is activated [EDITOR-07, EDITOR-63]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const [first] = [await newTab(admin, 'First'), await newTab(admin, 'Second')]
  await admin.call(editor.activeTab, { tabId: first })
  await admin.call(editor.hideTab, { tabId: first })
  expect(await openOf(admin)).toEqual(['Second'])
  const hidden = (await tabsOf(admin)).find(({ bizId }) => bizId === first)
  expect(hidden).toMatchObject({ hidden: true, active: false, closedAt: app.clock.now().toISOString() })
  expect((await admin.call(editor.tabDetail, { tabId: first })).data.sql).toBe('-- First')
  await admin.call(editor.activeTab, { tabId: first })
  expect(await openOf(admin)).toEqual(['Second', 'First'])
})

test('open tabs and their order are the same in another browser', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const ids = [await newTab(admin, 'A'), await newTab(admin, 'B'), await newTab(admin, 'C')]
  expect(await openOf(admin)).toEqual(['A', 'B', 'C'])
  await admin.call(editor.orderTabs, { tabIds: [ids[2]!, ids[0]!, ids[1]!] })
  expect(await openOf(await app.admin())).toEqual(['C', 'A', 'B'])
})

test('deleted tabs are in the bin for 30 days and are restored with their text [EDITOR-64]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const [one, two, kept] = [
    await newTab(admin, 'One'),
    await newTab(admin, 'Two'),
    await newTab(admin, 'Kept'),
  ]
  expect((await admin.call(editor.deleteTabs, { tabIds: [one, two] })).data).toEqual({ deleted: 2 })
  expect((await tabsOf(admin)).map(({ bizId }) => bizId)).toEqual([kept])
  expect((await admin.call(editor.tabDetail, { tabId: one })).code).toBe(CODES.NotFound.code)
  expect((await admin.call(editor.updateSql, { tabId: one, sql: 'x', revision: 1 })).code).toBe(
    CODES.NotFound.code,
  )
  const { list, total } = (await admin.call(editor.listDeletedTabs, { limit: 1 })).data
  expect({ list: list.length, total }).toEqual({ list: 1, total: 2 })
  expect(list[0]).toMatchObject({ deletedAt: app.clock.now().toISOString() })
  expect((await admin.call(editor.restoreTab, { tabId: two })).data).toMatchObject({ sql: '-- Two' })
  app.clock.advance(LIMITS.binDays * DAY_MS + 1)
  await app.editor.emptyBins()
  const later = await app.admin()
  expect((await later.call(editor.restoreTab, { tabId: one })).code).toBe(CODES.NotFound.code)
  expect((await tabsOf(later)).map(({ tabName }) => tabName)).toEqual(['Kept', 'Two'])
})

test('a tab whose id the console chose is created once, however often it is sent, and is restored from the bin', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const tabId = '11111111-2222-4333-8444-555555555555'
  const make = (sql: string) => admin.call(editor.createTab, { tabId, tabName: 'Mine', sql })
  expect((await make('first')).data).toMatchObject({ tabId, sql: 'first', revision: 1 })
  expect((await make('second')).data).toMatchObject({ tabId, sql: 'first', revision: 1 })
  await admin.call(editor.deleteTabs, { tabIds: [tabId] })
  expect((await make('third')).data).toMatchObject({ tabId, sql: 'first', revision: 1 })
  expect(await tabsOf(admin)).toHaveLength(1)
})

test('a sample stays as it is', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const tabId = await newTab(admin, 'Sample')
  await app.store.db.updateTable('editor_tabs').set({ sample: true }).where('tab_id', '=', tabId).execute()
  expect((await admin.call(editor.tabDetail, { tabId })).data.sample).toBe(true)
  const { code, message } = await admin.call(editor.updateSql, { tabId, sql: 'x', revision: 1 })
  expect(code).toBe(CODES.ReadOnly.code)
  expect(message).toContain('sample')
  expect((await admin.call(editor.tabDetail, { tabId })).data.sql).toBe('-- Sample')
})

test('more than 1000 saved queries are refused, and the bin keeps no more than that', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const tabId = await newTab(admin, 'One')
  const row = await app.store.db
    .selectFrom('editor_tabs')
    .selectAll()
    .where('tab_id', '=', tabId)
    .executeTakeFirstOrThrow()
  const more = Array.from({ length: LIMITS.savedQueries - 1 }, () => ({
    ...row,
    chart: null,
    parameters: null,
    tab_id: crypto.randomUUID(),
  }))
  await app.store.db.insertInto('editor_tabs').values(more).execute()
  expect((await admin.call(editor.createTab, { tabName: 'Too many' })).code).toBe(CODES.LimitReached.code)
  await admin.call(editor.deleteTabs, { tabIds: [tabId, ...more.map((one) => one.tab_id)] })
  const again = await newTab(admin, 'Again')
  await admin.call(editor.deleteTabs, { tabIds: [again] })
  expect((await admin.call(editor.listDeletedTabs, {})).data.total).toBe(LIMITS.binQueries)
})

test('the windows of the user, and nobody else’s, are notified of a new text and of a new list', async () => {
  const app = await startApp()
  const [admin, other] = [await app.admin(), await app.user(['db_admin'])]
  const tabId = await newTab(admin, 'One')
  const [mine, theirs] = [await admin.channel(), await other.channel()]
  await admin.call(editor.updateSql, { tabId, sql: 'new', revision: 1 })
  await admin.call(editor.updateTabName, { tabId, tabName: 'Two' })
  const eventsOf = (channel: typeof mine) => channel.heard.filter((message) => message.cmd === 3)
  await expect
    .poll(() => eventsOf(mine))
    .toEqual([
      { cmd: 3, seq: 0, type: 'GlobalEventTypeEditorChanged', data: { tabId, revision: 2 } },
      { cmd: 3, seq: 0, type: 'GlobalEventTypeEditorChanged', data: null },
    ])
  expect(eventsOf(theirs)).toEqual([])
})
