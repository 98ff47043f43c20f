import { CODES } from '@boathouse/contract/codes'
import type { EditorTab } from '@boathouse/contract/editor'
import { beforeEach, describe, expect, test } from 'vitest'
import { createEditorStore } from './editor-store.ts'
import type { EditorStore } from './editor-store.ts'
import { connectionOf, runBefore, runningRun, shownRun } from './editor-tab.ts'
import { answer } from '../testing/answers.ts'

const saved = (tabId: string, over: Partial<EditorTab> = {}): EditorTab => ({
  tabId,
  tabName: `Query ${tabId}`,
  parentFolderName: 'Samples',
  catalog: 'default_catalog',
  database: 'main',
  sql: 'select 1',
  revision: 3,
  hidden: false,
  active: true,
  sample: false,
  chart: null,
  parameters: [],
  access: 'own' as const,
  owner: 'ann',
  ...over,
})
const start = (requestId: string) => ({ requestId, sql: 'select 1', from: 0, visible: true, now: 1_000 })

let store: EditorStore
const tab = (id = 'tab-1') => store.tab(id)!

beforeEach(() => {
  store = createEditorStore()
  store.open(saved('tab-1'), {})
  store.open(saved('tab-2'), {})
})

describe('the editor store', () => {
  test('holds a tab with the fields of a saved one and those of its run time [EDITOR-12]', () => {
    expect(tab()).toMatchObject({
      tabId: 'tab-1',
      tabName: 'Query tab-1',
      parentFolderName: 'Samples',
      database: 'main',
      sql: 'select 1',
      catalog: 'default_catalog',
      connId: 0,
      oriConnId: 0,
      insId: '',
      isPrepared: false,
      warehouse: '',
      runs: [],
    })
  })

  test('a tab knows its place, connection, runs, variables and how often it had to connect again [EDITOR-13]', () => {
    const shown = { ...start('request-1'), sql: 'show variables' }
    store.startRun('tab-1', shown)
    expect(runningRun(tab())?.requestId).toBe('request-1')
    store.answer(
      answer(shown, {
        connId: 12,
        insId: 'ins-2',
        warehouse: 'reports',
        result: [
          ['sql_select_limit', '1000'],
          ['time_zone', 'UTC'],
        ],
        statementEnd: shown.sql.length,
      }),
      2_000,
    )
    store.loseConnections([12])
    expect(runningRun(tab())).toBeUndefined()
    expect(tab()).toMatchObject({
      catalog: 'default_catalog',
      database: 'main',
      connId: -1,
      oriConnId: 12,
      insId: 'ins-2',
      warehouse: 'reports',
      variables: { sql_select_limit: '1000', time_zone: 'UTC' },
      reconnections: 1,
      runs: [{ requestId: 'request-1' }],
    })
  })

  test('counts lines by LF alone, whatever the saved text has', () => {
    store.open(saved('tab-3', { sql: 'select 1;\r\nselect 2\rfrom t' }), {})
    expect(tab('tab-3').sql).toBe('select 1;\nselect 2\nfrom t')
  })

  test('opening a tab again keeps its text, connection and results', () => {
    store.setText('tab-1', { sql: 'select 42' })
    store.startRun('tab-1', start('request-1'))
    store.answer(answer(start('request-1')), 2_000)
    store.open(saved('tab-1', { sql: 'something else', tabName: 'Renamed' }), {})
    expect(tab()).toMatchObject({ sql: 'select 42', tabName: 'Renamed', connId: 7 })
    expect(shownRun(tab())?.requestId).toBe('request-1')
  })

  test('an answer reaches the tab that asked and no other', () => {
    store.startRun('tab-1', start('request-1'))
    store.startRun('tab-2', start('request-2'))
    store.answer(answer(start('request-1'), { channel: 'tab-1' }), 2_000)
    expect(runningRun(tab('tab-1'))).toBeUndefined()
    expect(runningRun(tab('tab-2'))?.requestId).toBe('request-2')
  })

  test('an answer to a request that is not known changes nothing', () => {
    const before = store.api.getState()
    store.answer(answer(start('request-9')), 2_000)
    store.answer(answer(start('request-9'), { channel: 'tab-9' }), 2_000)
    expect(store.api.getState()).toBe(before)
  })

  test('the first answer gives the tab its connection, and the next query names it', () => {
    expect(connectionOf(tab())).toEqual({ connId: 0, oriConnId: 0 })
    store.startRun('tab-1', start('request-1'))
    store.answer(answer(start('request-1'), { connId: 12, insId: 'ins-2', queryState: 1 }), 2_000)
    expect(tab()).toMatchObject({ connId: 12, insId: 'ins-2' })
    expect(connectionOf(tab())).toEqual({ connId: 12, oriConnId: 12 })
  })

  test('a lost connection is -1, and the next query asks for a new one with the old state [CHANNEL-16]', () => {
    store.startRun('tab-1', start('request-1'))
    store.answer(answer(start('request-1'), { connId: 12 }), 2_000)
    store.loseConnections([99])
    expect(tab().connId).toBe(12)
    store.loseConnections([12])
    expect(tab().connId).toBe(-1)
    expect(connectionOf(tab())).toEqual({ connId: 0, oriConnId: 12 })
  })

  test('a query that failed because its connection was lost leaves the tab without one', () => {
    store.startRun('tab-1', start('request-1'))
    store.answer(answer(start('request-1'), { connId: 12 }), 2_000)
    store.startRun('tab-1', start('request-2'))
    const lost = {
      connId: -1,
      queryState: 3,
      errCode: CODES.ConnectionLost.code,
      catalog: '',
      db: '',
    } as const
    store.answer(answer(start('request-2'), lost), 3_000)
    expect(tab()).toMatchObject({ connId: -1, oriConnId: 12, catalog: 'default_catalog', database: 'main' })
  })

  test('a SET WAREHOUSE records the warehouse on the tab [EDITOR-35]', () => {
    store.startRun('tab-1', start('request-1'))
    store.answer(answer(start('request-1'), { warehouseChange: true, warehouse: 'wh_bi' }), 2_000)
    expect(tab('tab-1').warehouse).toBe('wh_bi')
    expect(tab('tab-2').warehouse).toBe('')
  })

  test('a change of catalog or database is recorded on the tab', () => {
    store.startRun('tab-1', start('request-1'))
    store.answer(answer(start('request-1'), { dbChange: true, db: 'tpch' }), 2_000)
    expect(tab()).toMatchObject({ catalog: 'default_catalog', database: 'tpch' })
    expect(shownRun(tab())?.statements[0]?.change).toEqual({
      catalog: null,
      database: 'tpch',
      warehouse: null,
    })
    store.startRun('tab-1', start('request-2'))
    store.answer(answer(start('request-2'), { catalogChange: true, catalog: 'lake', db: '' }), 2_000)
    expect(tab()).toMatchObject({ catalog: 'lake', database: '' })
  })

  test('a result that is over stays until the next run answers, and then makes room', () => {
    const runs = () => tab().runs.map(({ requestId }) => requestId)
    store.startRun('tab-1', start('request-1'))
    store.answer(answer(start('request-1')), 2_000)
    store.chooseStatement('tab-1', 0)
    store.startRun('tab-1', start('request-2'))
    expect(tab().chosenStatement).toBeNull()
    expect([shownRun(tab())?.requestId, runBefore(tab())?.requestId]).toEqual(['request-2', 'request-1'])
    store.startRun('tab-1', { ...start('hidden'), visible: false })
    expect(runBefore(tab())?.requestId).toBe('request-1')
    store.answer(answer(start('request-2')), 3_000)
    expect(runBefore(tab())).toBeUndefined()
    expect(runs()).toEqual(['request-2', 'hidden'])
  })

  test('statements of the console itself are not shown', () => {
    store.startRun('tab-1', start('request-1'))
    store.startRun('tab-1', { ...start('request-2'), visible: false })
    expect(shownRun(tab())?.requestId).toBe('request-1')
  })

  test('stopping lasts until the final answer', () => {
    store.startRun('tab-1', start('request-1'))
    store.stopping('tab-1', 'request-1', true)
    store.answer(answer(start('request-1'), { queryState: 1 }), 1_500)
    expect(runningRun(tab())?.stopping).toBe(true)
    store.answer(answer(start('request-1'), { queryState: 3, errCode: CODES.Cancelled.code }), 2_000)
    expect(shownRun(tab())?.stopping).toBe(false)
  })

  test('cleared, it holds nothing of the earlier user', () => {
    store.activate('tab-1')
    store.clear()
    expect(store.api.getState()).toMatchObject({ tabs: {}, activeTabId: null })
  })
})
