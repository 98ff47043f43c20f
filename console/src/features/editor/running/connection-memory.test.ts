import { beforeEach, expect, test, vi } from 'vitest'
import { rememberConnections } from './connection-memory.ts'
import { createEditorStore } from '../tabs/editor-store.ts'
import { connectionOf } from '../tabs/editor-tab.ts'
import { answer } from '../testing/answers.ts'

const saved = {
  tabId: 'tab-1',
  tabName: 'Query',
  parentFolderName: '',
  catalog: '',
  database: '',
  sql: '',
  revision: 1,
  hidden: false,
  active: true,
  sample: false,
  chart: null,
  parameters: [],
  access: 'own' as const,
  owner: 'ann',
}
const start = { requestId: 'request-1', sql: 'use tpch', from: 0, visible: true, now: 0 }

function load() {
  const store = createEditorStore()
  rememberConnections(store, window.sessionStorage)
  store.open(saved, {})
  return store
}

beforeEach(() => window.sessionStorage.clear())

test('the first query after a reload names the connection the tab had before', () => {
  const before = load()
  before.startRun('tab-1', start)
  before.answer(answer(start, { connId: 9, dbChange: true, db: 'tpch', warehouse: 'wh_bi' }), 1)
  const tab = load().tab('tab-1')!
  expect(tab).toMatchObject({ catalog: 'default_catalog', database: 'tpch', warehouse: 'wh_bi' })
  expect(connectionOf(tab)).toEqual({ connId: 0, oriConnId: 9 })
})

test('a database that was chosen before anything ran again is remembered, and so is the connection', () => {
  const first = load()
  first.startRun('tab-1', start)
  first.answer(answer(start, { connId: 9, dbChange: true, db: 'tpch' }), 1)
  load().choosePlace('tab-1', { catalog: 'default_catalog', database: 'sales' }, 2)
  const tab = load().tab('tab-1')!
  expect(tab).toMatchObject({ catalog: 'default_catalog', database: 'sales' })
  expect(connectionOf(tab)).toEqual({ connId: 0, oriConnId: 9 })
})

test('a tab that never ran anything begins with nothing', () => {
  load()
  expect(load().tab('tab-1')).toMatchObject({ connId: 0, oriConnId: 0, catalog: '' })
})

test('what cannot be read is forgotten', () => {
  for (const broken of ['{', 'null', '7', '{"connId":"9","catalog":"a","database":"b","warehouse":"c"}']) {
    window.sessionStorage.setItem('boathouse-connection.tab-1', broken)
    expect(load().tab('tab-1')).toMatchObject({ oriConnId: 0, catalog: '' })
  }
})

test('a storage without room stops no query, and keeps no place that the tab has left', () => {
  const before = load()
  before.startRun('tab-1', start)
  before.answer(answer(start, { connId: 9, dbChange: true, db: 'tpch' }), 1)
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  before.choosePlace('tab-1', { catalog: 'default_catalog', database: 'sales' }, 2)
  full.mockRestore()
  expect(before.tab('tab-1')).toMatchObject({ database: 'sales' })
  expect(load().tab('tab-1')).toMatchObject({ oriConnId: 0, catalog: '' })
})
