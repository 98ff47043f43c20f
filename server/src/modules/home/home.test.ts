import { dashboard, editor, home, type LoadTask, type Pipe, type RunningStatement } from '@boathouse/contract'
import { expect, test } from 'vitest'
import type { Actor } from '../../kernel/actor.ts'
import { startApp } from '../../testing/start-app.ts'
import { createHome, type HomeParts } from './service.ts'

test('recent queries are one’s own, the last written first, without samples and without deleted ones', async () => {
  const app = await startApp()
  const grace = await app.user()
  const recent = async () => (await grace.call(home.recent, {})).data
  expect(await recent()).toEqual({
    queries: [],
    tables: [],
    dashboards: [],
    running: [],
    failures: [],
    ofEveryone: false,
  })
  const ids: string[] = []
  for (const tabName of ['First', 'Second', 'Third']) {
    app.clock.advance(1000)
    ids.push((await grace.call(editor.createTab, { tabName })).data.tabId)
  }
  app.clock.advance(1000)
  const [first = '', second = ''] = ids
  await grace.call(editor.updateSql, { tabId: first, sql: 'select 1', revision: 1 })
  await grace.call(editor.deleteTabs, { tabIds: [second] })
  expect((await recent()).queries.map(({ tabName }) => tabName)).toEqual(['First', 'Third'])
  for (let number = 0; number < 6; number++) await grace.call(editor.createTab, { tabName: `More ${number}` })
  expect((await recent()).queries).toHaveLength(5)

  const ada = await app.admin()
  const seen = (await ada.call(home.recent, {})).data
  expect(seen.ofEveryone).toBe(true)
  expect(seen.queries.map(({ tabName }) => tabName)).not.toContain('First')
  const stranger = await app.stranger()
  expect((await stranger.call(home.recent, {})).data.queries).toEqual([])
})

const load = (taskId: string, state: LoadTask['state'], endedAt: string) =>
  ({
    taskId,
    state,
    endedAt,
    fileName: `${taskId}.csv`,
    error: 'bad',
    catalog: 'c',
    databaseName: 'd',
  }) as LoadTask
const pipe = (name: string, lastError: string, reason = '') =>
  ({ pipeId: name, name, lastError, reason, listedAt: '2026-01-02', catalog: 'c', databaseName: 'd' }) as Pipe
const statement = (queryId: string) =>
  ({
    queryId,
    user: 'grace',
    sql: 'x'.repeat(900),
    acceptedAt: '',
    progress: null,
    waitsFor: 'slot',
  }) as RunningStatement

test('what failed is loads and pipes, the latest first; of what runs only the beginning of the text is sent', async () => {
  const parts: HomeParts = {
    editor: { recent: async () => [] },
    lineage: { recentTables: async () => [] },
    dashboards: { recent: async () => [] },
    activity: {
      running: async () => ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ entry: statement(id) })),
    },
    tasks: {
      list: async () => ({
        list: [
          load('old', 'failed', '2026-01-01'),
          load('fine', 'finished', '2026-01-04'),
          load('new', 'failed', '2026-01-03'),
        ],
      }),
    },
    pipes: {
      list: async () => ({
        whole: [
          { pipe: pipe('works', '') },
          { pipe: pipe('fails', 'no such bucket', 'suspended after 5 errors') },
        ],
      }),
    },
  }
  const found = await createHome(parts).recent({ activeRoles: [] } as unknown as Actor)
  expect(found.failures).toMatchObject([
    { kind: 'load', id: 'new', name: 'new.csv', error: 'bad' },
    { kind: 'pipe', name: 'fails', error: 'suspended after 5 errors' },
    { kind: 'load', id: 'old' },
  ])
  expect(found.running.map(({ queryId }) => queryId)).toEqual(['f', 'e', 'd', 'c', 'b'])
  expect(found.running[0]).toMatchObject({ waits: true, sql: 'x'.repeat(200) })
})

test('recent tables are those that one’s statements used, recent dashboards those that one may see', async () => {
  const app = await startApp()
  const ada = await app.admin()
  const grace = await app.user()
  const channel = await ada.channel()
  await channel.run('CREATE TABLE oars (a INT)')
  await ada.call(dashboard.create, { name: 'Private' })
  app.clock.advance(1000)
  await grace.call(dashboard.create, { name: 'Own' })
  const seen = (await ada.call(home.recent, {})).data
  expect(seen.tables.map(({ name, database }) => [database, name])).toEqual([['main', 'oars']])
  expect(seen.dashboards.map(({ name }) => name)).toEqual(['Private'])
  const hers = (await grace.call(home.recent, {})).data
  expect(hers.tables).toEqual([])
  expect(hers.dashboards.map(({ name }) => name)).toEqual(['Own'])
  await channel.run('DROP TABLE oars')
  expect((await ada.call(home.recent, {})).data.tables).toEqual([])
})
