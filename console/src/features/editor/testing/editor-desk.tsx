import { createRealtimeClient } from '@boathouse/client/realtime-client'
import type { RealtimeClient } from '@boathouse/client/realtime-client'
import { fakeClock } from '@boathouse/client/testing/fake-clock'
import { answerTo } from '@boathouse/client/testing/fake-socket'
import type { Output } from '@boathouse/contract/call'
import type { query } from '@boathouse/contract/query'
import type { QueryReq, QueryRsp } from '@boathouse/contract/realtime'
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
import { commentCalls } from './comment-calls.ts'
import { type EditorState, editorState } from './editor-state.ts'
import { keptResultCalls } from './kept-result-calls.ts'
import { preparedSockets } from './prepared-sockets.ts'
import { snippetCalls } from './snippet-calls.ts'
import { schemaCalls } from './schema-calls.ts'
import { ORDERS, PARTS, type SavedText, tabCalls } from './tab-calls.ts'

// jsdom has no layout: to the editor, every character is at the same place.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList
Range.prototype.getBoundingClientRect = () => new DOMRect()

/** Of the result that is kept. */
export const QUERY_ID = '44444444-4444-4444-8444-444444444444'

const warehouseOf = (status: Warehouse['status']) => aWarehouse({ warehouseId: ORDERS, status })

/** A row that says what was asked for, unless the text is 'half' or nothing runs. */
function previewOf({ warehouse }: EditorState, sql: string, resumes: boolean): Output<typeof query.preview> {
  const nothing = { queryId: '', fields: [], rows: [], longCells: [], hasMore: false, durationMs: 0 }
  if (warehouse === 'Suspended' && !resumes)
    return { ...nothing, problem: { code: 'NoRunningWarehouse', message: 'No warehouse is running.' } }
  if (sql.includes('half'))
    return { ...nothing, problem: { code: 'QueryFailed', message: `Not yet: ${sql}` } }
  const fields = [{ name: 'n', type: 'VARCHAR', family: 'text' as const }]
  return { ...nothing, fields, rows: [[sql]], problem: null }
}

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
  const state = editorState()
  const handlers = stubServer({
    ...tabCalls({ tabs, bin, state }),
    ...commentCalls(state),
    ...snippetCalls(),
    ...schemaCalls(state),
    'quota.own': () => ({ kept: [] }),
    'editor.kill': () => ({ stopped: true }),
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
    'assistant.about': () => ({ assistant: state.assistant }),
    'assistant.ask': ({ text }) => ({
      answer: ['Of course:', '```sql', 'select 42', '```', `You wrote ${text.length} characters.`].join('\n'),
    }),
    'query.preview': ({ sql, resumes }) => previewOf(state, sql, resumes),
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
  const content = await screen.findByRole('textbox', { name: 'SQL editor' })
  await screen.findByRole('region', { name: 'Result' })
  const view = EditorView.findFromDOM(content)
  if (!view) throw new Error('The textbox is not an editor.')
  return view
}

/** Typing, as far as the editor knows; `at` is the cursor afterwards. */
export const typeText = (view: EditorView, text: string, at = text.length) =>
  act(() =>
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      selection: { anchor: at },
      userEvent: 'input.type',
    }),
  )
