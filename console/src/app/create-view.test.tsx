import type { QueryRsp } from '@boathouse/contract/realtime'
import { MESSAGES } from '@boathouse/contract/rules'
import { act, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import './pages/catalog-routes.tsx'
import type { StubHandlers } from '../testing/stub-server.ts'
import { addressOf, renderApp, signedIn } from './testing/render-app.tsx'

const DATABASE = '/local-1/ABC12345/catalog/catalog-default_catalog-type-Internal/database-shop?tab=view'

const none = () => ({ list: [], total: 0 })

function open(over: StubHandlers = {}) {
  signedIn()
  return renderApp(DATABASE, {
    'schema.tables': none,
    'schema.views': none,
    'schema.materializedViews': none,
    'schema.actions': () => ({ createView: '' }),
    ...over,
  })
}
type App = ReturnType<typeof open>

const ANSWER: QueryRsp = {
  errCode: 200,
  channel: '',
  requestId: '',
  connId: 9,
  oriConnId: 0,
  insId: 'i',
  queryState: 2,
  result: [],
  fields: [],
  totalRows: 0,
  errMsg: '',
  timeUsed: 1,
  queryId: 'q',
  catalogChange: false,
  dbChange: false,
  catalog: '',
  db: '',
  warehouseChange: false,
  warehouse: '',
  statementIndex: 0,
  statementCount: 1,
  statementStart: 0,
  statementEnd: 0,
  truncated: false,
  errPosition: null,
  errKind: '',
  progress: null,
  progressRows: null,
  progressTotalRows: null,
  queuePlace: null,
  notice: '',
  longCells: [],
  resultKept: false,
}

/** The statement that was sent last, answered. */
async function answer({ sockets }: App, times: number, over: Partial<QueryRsp>) {
  await waitFor(() => expect(sockets.latest().queries()).toHaveLength(times))
  const asked = sockets.latest().queries().at(-1)
  act(() =>
    sockets.latest().deliver({
      cmd: 2,
      queryRsp: { ...ANSWER, channel: asked?.channel ?? '', requestId: asked?.requestId ?? '', ...over },
    }),
  )
  return asked?.sql ?? ''
}

async function openForm(app: App) {
  const create = await screen.findByRole('button', { name: 'Create view' })
  await waitFor(() => expect(app.sockets.all).toHaveLength(1))
  act(() => app.sockets.latest().accept())
  await app.user.click(create)
  return within(await screen.findByRole('dialog'))
}

test('a list without views says why, and offers the form that makes one', async () => {
  const app = open()
  expect(await screen.findByRole('heading', { name: 'No views' })).toBeTruthy()
  expect(screen.getByText(/Nothing was created here yet, or you have no privilege/)).toBeTruthy()
  const form = await openForm(app)
  expect(form.getByText(/You create and own it as ada lovelace/)).toBeTruthy()
})

test('a user who cannot create views sees why, and the form is disabled', async () => {
  open({ 'schema.actions': () => ({ createView: 'This needs CREATE VIEW on shop.' }) })
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Create view' })
  await waitFor(() => expect(button().disabled).toBe(true))
  expect(button().title).toBe('This needs CREATE VIEW on shop.')
})

test('the form runs one query: its columns first, then the statement with its comments', async () => {
  const app = open()
  const form = await openForm(app)
  const query = form.getByLabelText('Query')
  await app.user.type(query, 'select 1; drop table boats')
  await app.user.tab()
  expect(form.getByText('A view has one query. Remove the other statements.')).toBeTruthy()
  await app.user.clear(query)
  await app.user.type(query, 'select id from orders')
  await app.user.click(form.getByRole('button', { name: 'Preview columns' }))
  const fields = [{ name: 'id', type: 'BIGINT', family: 'number' as const }]
  expect(await answer(app, 1, { fields })).toMatch(/^SELECT \* FROM \(\nselect id from orders\n\)/)
  await app.user.type(await form.findByLabelText('Comment of id'), 'Number')
  await app.user.click(form.getByRole('button', { name: 'Create view' }))
  expect(await form.findByText(MESSAGES.enter('name'))).toBeTruthy()
  await app.user.type(form.getByLabelText('Name'), 'late')
  await app.user.click(form.getByRole('button', { name: 'Create view' }))
  const sql = await answer(app, 2, { statementIndex: 1, statementCount: 2 })
  expect(sql).toMatch(/^CREATE VIEW .*late.* AS\nselect id from orders;\nCOMMENT ON COLUMN .*'Number';$/)
  await waitFor(() => expect(addressOf(app)).toContain('late'))
})

test('an error is shown at its place in the query, and nothing typed is lost', async () => {
  const app = open()
  const form = await openForm(app)
  const query = form.getByLabelText<HTMLTextAreaElement>('Query')
  await app.user.type(form.getByLabelText('Name'), 'late')
  await app.user.type(query, 'select nope from orders')
  await app.user.click(form.getByRole('button', { name: 'Create view' }))
  const errMsg = 'There is no column nope.'
  await waitFor(() => expect(app.sockets.latest().queries()).toHaveLength(1))
  const offset = app.sockets.latest().queries()[0]?.sql.indexOf('nope') ?? 0
  await answer(app, 1, { queryState: 3, errMsg, errPosition: { offset, line: 2, column: 8 } })
  expect(await form.findByText('Line 1, column 8: There is no column nope.')).toBeTruthy()
  expect(query.value).toBe('select nope from orders')
  await waitFor(() => expect(document.activeElement).toBe(query))
  expect(query.selectionStart).toBe('select '.length)
})
