import { createRealtimeClient } from '@boathouse/client/realtime-client'
import type { RealtimeClient } from '@boathouse/client/realtime-client'
import { fakeClock } from '@boathouse/client/testing/fake-clock'
import { answerTo } from '@boathouse/client/testing/fake-socket'
import type { EditorTab } from '@boathouse/contract/editor'
import type { PricedRun } from '@boathouse/contract/query'
import type { QueryReq, QueryRsp } from '@boathouse/contract/realtime'
import type { ObjectRef } from '@boathouse/contract/schema-objects'
import type { Found } from '@boathouse/contract/schema-search'
import type { Warehouse } from '@boathouse/contract/warehouse'
import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import { EditorView } from '@codemirror/view'
import { createQueryClient } from '../../../lib/api.ts'
import { RealtimeProvider } from '../../../lib/realtime-context.tsx'
import { aWarehouse } from '../../../testing/a-warehouse.ts'
import { refuse, stubServer } from '../../../testing/stub-server.ts'
import { BaseProvider } from '../../../ui/index.ts'
import { EditorPage } from '../editor-page.tsx'
import { runtimeOf } from '../editor-runtime.ts'
import { keptResultCalls, type KeptState } from './kept-result-calls.ts'
import { preparedSockets } from './prepared-sockets.ts'

// jsdom has no layout: to the editor, every character is at the same place.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList
Range.prototype.getBoundingClientRect = () => new DOMRect()

export const ORDERS = '11111111-1111-4111-8111-111111111111'
export const PARTS = '22222222-2222-4222-8222-222222222222'

/** Of the result that is kept. */
export const QUERY_ID = '44444444-4444-4444-8444-444444444444'

/** What is in a database, by the names of its tables and views. */
interface Contents {
  tables: string[]
  views: string[]
}

interface SavedText {
  name: string
  sql: string
  revision: number
  sample?: boolean
  hidden?: boolean
  position?: number
  closedAt?: string
}

const warehouseOf = (status: Warehouse['status']) => aWarehouse({ warehouseId: ORDERS, status })

const listOf = <T,>(list: T[]) => ({ list, total: list.length })

const loaded: RealtimeClient[] = []

/** A page that is gone has no tabs left to save. */
const close = (realtime: RealtimeClient) => runtimeOf(realtime).store.clear()

/** What outlives a reload: the server with its tabs. */
export function editorServer() {
  window.localStorage.clear()
  loaded.splice(0).forEach(close)
  const tabs = new Map<string, SavedText>([
    [ORDERS, { name: 'Orders', sql: 'select 1;\nselect 2;\n', revision: 1 }],
    [PARTS, { name: 'Parts', sql: 'select 3', revision: 1 }],
  ])
  const bin: ({ tabId: string } & SavedText)[] = []
  const state = {
    warehouse: 'Running' as Warehouse['status'],
    refusesResume: false,
    refusesTabs: false,
    /** What a new query waits for. */
    untilCreated: Promise.resolve(),
    /** Of the kept result: a column of the rows' numbers. */
    rows: 1,
    cell: '',
    /** Of the whole value, where that is more than an answer carries. */
    cellLength: null as number | null,
    isExpired: false,
    isCut: false,
    fullRun: { state: 'finished', progress: null, rows: null, error: '' } as KeptState['fullRun'],
    isShared: false,
    refusesShare: false,
    /** Of every statement, in dollars; null: it is not counted yet. */
    cost: null as string | null,
    /** Of every text. */
    earlierRuns: [] as PricedRun[],
    /** In every database. */
    materialized: [] as string[],
    /** Of every table and view. */
    columns: ['id', 'name'],
    /** By a search in all catalogs. */
    found: [] as Found[],
    usedBy: [] as ObjectRef[],
    catalogs: new Map<string, Map<string, Contents>>([
      [
        'default_catalog',
        new Map<string, Contents>([
          ['main', { tables: [], views: [] }],
          ['sample', { tables: ['nation', 'region'], views: ['europe'] }],
        ]),
      ],
    ]),
  }
  const databasesOf = (catalog: string) =>
    state.catalogs.get(catalog) ?? refuse('NotFound', `There is no catalog ${catalog}.`)
  function contentsOf(catalog: string, database: string) {
    const databases = databasesOf(catalog)
    if (!(databases instanceof Map)) return databases
    return databases.get(database) ?? refuse('NotFound', `There is no database ${database}.`)
  }
  const saved = (tabId: string): SavedText => {
    const tab = tabs.get(tabId)
    if (!tab) throw new Error(`The test's server has no tab ${tabId}.`)
    return tab
  }
  const detail = (tabId: string): EditorTab => {
    const { name, sql, revision, sample = false, hidden = false } = saved(tabId)
    const place = { parentFolderName: '', catalog: '', database: '', active: false }
    return { tabId, tabName: name, sql, revision, sample, hidden, chart: null, ...place }
  }
  const entry = (tabId: string, parentId: string) => {
    const { name, sample = false, hidden = false, position = 1, closedAt = '' } = saved(tabId)
    return {
      bizId: tabId,
      tabName: name,
      parentId,
      parentFolderName: '',
      hidden,
      active: tabId === PARTS,
      sample,
      position,
      closedAt,
    }
  }
  const handlers = stubServer({
    'editor.listTabTree': () => ({
      folders: tabs.has(ORDERS)
        ? [
            {
              bizId: 'folder',
              folder: 'Samples',
              parentId: '',
              parentFolderName: '',
              tabs: [entry(ORDERS, 'folder')],
              children: [],
            },
          ]
        : [],
      tabs: [...tabs.keys()].filter((id) => id !== ORDERS).map((id) => entry(id, '')),
    }),
    'editor.tabDetail': ({ tabId }) =>
      tabs.has(tabId) ? detail(tabId) : refuse('NotFound', 'This query does not exist.'),
    'editor.activeTab': ({ tabId }) => {
      if (tabs.has(tabId)) tabs.set(tabId, { ...saved(tabId), hidden: false })
      return {}
    },
    'editor.createTab': async ({ tabName, sql, tabId = crypto.randomUUID() }) => {
      await state.untilCreated
      if (state.refusesTabs) return refuse('LimitReached', 'There are too many queries.')
      tabs.set(tabId, { name: tabName, sql, revision: 1, position: tabs.size + 1 })
      return detail(tabId)
    },
    'editor.hideTab': ({ tabId }) => {
      tabs.set(tabId, { ...saved(tabId), hidden: true, closedAt: '2026-01-01T00:00:00Z' })
      return {}
    },
    'editor.updateTabName': ({ tabId, tabName }) => {
      tabs.set(tabId, { ...saved(tabId), name: tabName })
      return {}
    },
    'editor.orderTabs': ({ tabIds }) => {
      tabIds.forEach((tabId, at) => tabs.set(tabId, { ...saved(tabId), position: at + 1 }))
      return {}
    },
    'editor.deleteTabs': ({ tabIds }) => {
      for (const tabId of tabIds) {
        bin.unshift({ tabId, ...saved(tabId) })
        tabs.delete(tabId)
      }
      return { deleted: tabIds.length }
    },
    'quota.own': () => ({ kept: [] }),
    'editor.listDeletedTabs': () => ({
      list: bin.map(({ tabId, name, sql }) => ({
        tabId,
        tabName: name,
        sql,
        deletedAt: '2026-01-02T00:00:00Z',
      })),
      total: bin.length,
    }),
    'editor.restoreTab': ({ tabId }) => {
      const [found] = bin.splice(
        bin.findIndex((one) => one.tabId === tabId),
        1,
      )
      if (!found) return refuse('NotFound', 'This query does not exist.')
      tabs.set(tabId, { ...found, hidden: false })
      return detail(tabId)
    },
    'editor.createTabFolder': () => ({ folderId: crypto.randomUUID() }),
    'editor.updateTabFolder': () => ({}),
    'editor.changeTabFolder': () => ({}),
    'editor.changeTabFolderParent': () => ({}),
    'editor.deleteTabFolder': () => ({ deleted: 1 }),
    'editor.updateSql': ({ tabId, sql, revision }) => {
      const tab = saved(tabId)
      if (tab.revision !== revision) return refuse('Conflict', 'changed elsewhere')
      tabs.set(tabId, { ...tab, sql, revision: revision + 1 })
      return { revision: revision + 1 }
    },
    'editor.updateTabDatabase': () => ({}),
    'editor.updateTabChart': () => ({}),
    'editor.kill': () => ({ stopped: true }),
    'schema.catalogs': () => listOf([...state.catalogs.keys()].map((name) => ({ name, type: 'Internal' }))),
    'schema.databases': ({ catalog }) => {
      const found = databasesOf(catalog)
      if (!(found instanceof Map)) return found
      return listOf([...found.keys()].sort().map((name) => ({ name, databaseId: name })))
    },
    'schema.tables': ({ catalog, databaseName }) => {
      const found = contentsOf(catalog, databaseName)
      if (!('tables' in found)) return found
      return { list: [], names: found.tables.toSorted(), total: found.tables.length }
    },
    'schema.views': ({ catalog, databaseName }) => {
      const found = contentsOf(catalog, databaseName)
      if (!('views' in found)) return found
      return { list: [], names: found.views.toSorted(), total: found.views.length }
    },
    'schema.materializedViews': () =>
      listOf(
        state.materialized.map((mvName) => ({
          mvName,
          type: 'materialized_view' as const,
          trigger: 'manual' as const,
          paused: false,
          lastRefreshState: null,
          lastRefreshAt: null,
        })),
      ),
    'schema.columns': ({ tableName, name }) => ({
      tableName: tableName ?? name ?? '',
      type: tableName === undefined ? 'view' : 'table',
      columns: state.columns.map((column) => ({
        name: column,
        type: 'BIGINT',
        nullable: true,
        primaryKey: false,
        default: null,
        length: null,
        precision: null,
        scale: null,
        comment: '',
      })),
      total: state.columns.length,
    }),
    'schema.search': () => ({ list: state.found, more: false }),
    'schema.describe': ({ tableName, name }) => ({
      name: tableName ?? name ?? '',
      type: 'table',
      comment: '',
      columnCount: 2,
      size: null,
      rows: { count: 25, exact: true },
      actions: ['read', 'alter', 'drop'],
    }),
    'schema.dependencies': () => ({ uses: [], usedBy: state.usedBy, hidden: 0, broken: '' }),
    'schema.dropTable': () => ({}),
    'schema.dropView': () => ({}),
    'warehouse.list': () => ({ warehouses: [warehouseOf(state.warehouse)] }),
    'warehouse.sizes': () => ({
      sizes: [
        {
          size: 'X-Small',
          pricePerHour: { ccu: '1', usd: '0.68' },
          slots: 2,
          threads: 1,
          memoryBytes: 1e9,
          isRecommended: true,
        },
      ],
      engines: [aWarehouse().engine],
    }),
    ...keptResultCalls(state),
    'warehouse.resume': () => {
      if (state.refusesResume) return refuse('Conflict', 'It is being resized.')
      state.warehouse = 'Running'
      return warehouseOf(state.warehouse)
    },
    'log.report': () => ({}),
  })
  return { tabs, bin, state, ...handlers }
}

/** A page just loaded; unmount it and load another for a reload. */
export function loadEditor({ address = '/', isOpen = true } = {}) {
  const clock = fakeClock()
  const sockets = preparedSockets()
  const realtime = createRealtimeClient({
    address: () => 'ws://test',
    openSocket: sockets.open,
    clock,
    log: () => undefined,
  })
  loaded.push(realtime)
  realtime.open()
  if (isOpen) sockets.latest().accept()
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <RealtimeProvider client={realtime}>
          <EditorPage />
        </RealtimeProvider>
      ),
    }),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => `?${new URLSearchParams(search as Record<string, string>).toString()}`,
  })
  const view = render(
    <BaseProvider>
      <QueryClientProvider client={createQueryClient({ retries: 0 })}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </BaseProvider>,
  )
  const currentAddress = () => Object.fromEntries(new URLSearchParams(router.history.location.search))
  const query = (): QueryReq => {
    const last = sockets.latest().queries().at(-1)
    if (!last) throw new Error('Nothing was sent to run.')
    return last
  }
  return {
    ...view,
    /** Of the channel. */
    clock,
    sockets,
    router,
    realtime,
    address: currentAddress,
    query,
    answer: (over: Partial<QueryRsp> = {}) => act(() => sockets.latest().deliver(answerTo(query(), over))),
    /** The page is gone before anything could be closed or saved. */
    vanish: () => {
      view.unmount()
      close(realtime)
    },
    leave: () => {
      view.unmount()
      realtime.close()
      close(realtime)
    },
  }
}

/** The CodeMirror view on the screen, once it and the results below it are there. */
export async function editorView(): Promise<EditorView> {
  const content = await screen.findByRole('textbox', { name: 'SQL editor' }, { timeout: 10_000 })
  await screen.findByRole('region', { name: 'Result' }, { timeout: 10_000 })
  const view = EditorView.findFromDOM(content)
  if (!view) throw new Error('The textbox is not an editor.')
  return view
}

/** Typing, as far as the editor can tell; `at` is where the cursor stands afterwards. */
export const typeText = (view: EditorView, text: string, at = text.length) =>
  act(() =>
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      selection: { anchor: at },
      userEvent: 'input.type',
    }),
  )
