import { CODES, editor, LIMITS } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp, type TestUser } from '../../testing/start-app.ts'

test('a tab is created, saved and read again [EDITOR-58, EDITOR-61, EDITOR-65]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const { data: tab } = await admin.call(editor.createTab, { tabName: 'Rowers', sql: 'select 1' })
  expect(tab).toMatchObject({ tabName: 'Rowers', sql: 'select 1', revision: 1, parentFolderName: '' })
  expect(
    (await admin.call(editor.updateSql, { tabId: tab.tabId, sql: 'select 2', revision: 1 })).data,
  ).toEqual({ revision: 2 })
  expect((await admin.call(editor.tabDetail, { tabId: tab.tabId })).data).toMatchObject({
    sql: 'select 2',
    revision: 2,
  })
})

test('how the rows of a tab are drawn is kept with it, and not of a sample', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const { data: tab } = await admin.call(editor.createTab, { tabName: 'Boats', sql: 'select 1' })
  expect(tab.chart).toBeNull()
  const { tabId } = tab
  const chart = { kind: 'line', x: 'day', y: ['boats', 'rowers'], shown: true } as const
  expect(
    (await admin.call(editor.updateTabChart, { tabId, chart: { ...chart, y: [...chart.y] } })).code,
  ).toBe(CODES.Ok.code)
  expect((await admin.call(editor.tabDetail, { tabId })).data.chart).toEqual({
    ...chart,
    by: '',
    aggregate: 'none',
    grain: 'none',
    stack: 'none',
    isHorizontal: false,
    overlay: 'none',
    order: 'rows',
    top: 0,
    format: 'short',
    isPivoted: false,
    pivot: null,
    otherCharts: [],
    chartAt: 0,
  })
  const more = (count: number) => ({
    ...chart,
    y: [...chart.y],
    otherCharts: Array.from({ length: count }, () => ({ ...chart, y: [], kind: 'area' as const })),
    chartAt: 1,
  })
  const draw = async (count: number) =>
    (await admin.call(editor.updateTabChart, { tabId, chart: more(count) })).code
  expect(await draw(LIMITS.charts - 1)).toBe(CODES.Ok.code)
  expect((await admin.call(editor.tabDetail, { tabId })).data.chart?.otherCharts).toHaveLength(
    LIMITS.charts - 1,
  )
  expect(await draw(LIMITS.charts)).toBe(CODES.BadInput.code)
  const tooMany = { ...chart, y: Array.from({ length: LIMITS.chartSeries + 1 }, (_, at) => `y${at}`) }
  expect((await admin.call(editor.updateTabChart, { tabId, chart: tooMany })).code).toBe(CODES.BadInput.code)
  await app.store.db.updateTable('editor_tabs').set({ sample: true }).where('tab_id', '=', tabId).execute()
  const again = { ...chart, kind: 'bar' as const, y: [] }
  expect((await admin.call(editor.updateTabChart, { tabId, chart: again })).code).toBe(CODES.ReadOnly.code)
})

test("another user's tab does not exist for me", async () => {
  const app = await startApp()
  const [admin, other] = [await app.admin(), await app.user(['db_admin'])]
  const { data: tab } = await admin.call(editor.createTab, { tabName: 'Mine', sql: 'secret' })
  const { tabId } = tab
  expect((await other.call(editor.tabDetail, { tabId })).code).toBe(CODES.NotFound.code)
  expect((await other.call(editor.updateSql, { tabId, sql: 'x', revision: 1 })).code).toBe(
    CODES.NotFound.code,
  )
  expect((await other.call(editor.activeTab, { tabId })).code).toBe(CODES.NotFound.code)
  const place = { catalog: 'default_catalog', database: 'theirs' }
  expect((await other.call(editor.updateTabDatabase, { tabId, ...place })).code).toBe(CODES.NotFound.code)
  const chart = { kind: 'bar' as const, x: 'a', y: [], shown: true }
  expect((await other.call(editor.updateTabChart, { tabId, chart })).code).toBe(CODES.NotFound.code)
  expect((await other.call(editor.listTabTree, {})).data).toEqual({ folders: [], tabs: [], shared: [] })
  expect((await admin.call(editor.tabDetail, { tabId })).data).toMatchObject({ sql: 'secret', database: '' })
})

test('a save over a newer text is refused and overwrites nothing; the same save again is fine', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const { tabId } = (await admin.call(editor.createTab, { tabName: 'Race' })).data
  const save = (sql: string, revision: number) => admin.call(editor.updateSql, { tabId, sql, revision })
  expect((await save('first', 1)).data).toEqual({ revision: 2 })
  expect((await save('second', 1)).code).toBe(CODES.Conflict.code)
  expect((await save('first', 1)).data).toEqual({ revision: 2 })
  expect((await admin.call(editor.tabDetail, { tabId })).data).toMatchObject({ sql: 'first', revision: 2 })
})

test.each([
  ['an empty name', ' ', 'tabName: Enter the query name'],
  ['a name of 33 characters', 'x'.repeat(33), 'tabName: The maximum length is 32'],
])('%s is refused [EDITOR-09, EDITOR-10]', async (_, tabName, message) => {
  const app = await startApp()
  const admin = await app.admin()
  expect(await admin.call(editor.createTab, { tabName })).toMatchObject({
    code: CODES.BadInput.code,
    message,
  })
})

test('one tab is active at a time, and a hidden one shows again when it is [EDITOR-08, EDITOR-62]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const first = (await admin.call(editor.createTab, { tabName: 'First' })).data.tabId
  const second = (await admin.call(editor.createTab, { tabName: 'Second' })).data.tabId
  await app.store.db.updateTable('editor_tabs').set({ hidden: true }).where('tab_id', '=', second).execute()
  await admin.call(editor.activeTab, { tabId: first })
  await admin.call(editor.activeTab, { tabId: second })
  const { tabs } = (await admin.call(editor.listTabTree, {})).data
  expect(tabs.map(({ tabName, active, hidden }) => ({ tabName, active, hidden }))).toEqual([
    { tabName: 'First', active: false, hidden: false },
    { tabName: 'Second', active: true, hidden: false },
  ])
})

test('the place of a tab is kept with it, whatever its text, and can be taken away [EDITOR-60]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const { tabId } = (await admin.call(editor.createTab, { tabName: 'Boats', sql: 'select 1' })).data
  const moveTo = async (catalog: string, database: string) => {
    const { code } = await admin.call(editor.updateTabDatabase, { tabId, catalog, database })
    expect(code).toBe(CODES.Ok.code)
    return (await admin.call(editor.tabDetail, { tabId })).data
  }
  expect(await moveTo('default_catalog', 'boats')).toMatchObject({
    catalog: 'default_catalog',
    database: 'boats',
    sql: 'select 1',
    revision: 1,
  })
  expect(await moveTo('default_catalog', '')).toMatchObject({ catalog: 'default_catalog', database: '' })
  expect(await moveTo('', '')).toMatchObject({ catalog: '', database: '' })
})

test('a place with a name that is too long is refused', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const { tabId } = (await admin.call(editor.createTab, { tabName: 'Boats' })).data
  const place = { catalog: 'default_catalog', database: 'x'.repeat(257) }
  expect((await admin.call(editor.updateTabDatabase, { tabId, ...place })).code).toBe(CODES.BadInput.code)
})

test('stopping a statement that is not mine, or that never was, is refused [EDITOR-66]', async () => {
  const app = await startApp()
  const admin = await app.admin()
  expect((await admin.call(editor.kill, { requestId: 'never-was' })).code).toBe(CODES.NotFound.code)
})

test('a new query does not begin in a database that its writer cannot see', async () => {
  const app = await startApp()
  const ada = await app.user()
  const place = { catalog: 'default_catalog', database: 'sample' }
  const placeOf = async (who: TestUser) => {
    const { data } = await who.call(editor.createTab, { tabName: 'new', sql: '', ...place })
    return [data.catalog, data.database]
  }
  expect(await placeOf(ada)).toEqual(['', ''])
  expect(await placeOf(await app.admin())).toEqual(['default_catalog', 'sample'])
})
