import type { Output } from '@boathouse/contract/call'
import type { result } from '@boathouse/contract/result'
import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/shared-result-route.tsx'
import './shell/shell-layout.tsx'
import { session } from '../lib/session.ts'
import { refuse, type StubHandlers } from '../testing/stub-server.ts'
import { renderApp, signedIn } from './testing/render-app.tsx'

const QUERY_ID = '44444444-4444-4444-8444-444444444444'
const PAGE = `/local-1/ABC12345/editor/result/${QUERY_ID}`

const FACTS: Output<typeof result.facts> = {
  sql: 'select n from numbers',
  user: 'anna',
  catalog: 'default_catalog',
  database: 'sales',
  endedAt: '2026-01-01T00:00:00Z',
  expiresAt: '2026-01-02T00:00:00Z',
  values: null,
  isOwn: false,
  isShared: true,
}

beforeEach(() => {
  session.end()
  // jsdom has no layout, and a grid draws what can be seen.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(900)
})

const open = (handlers: StubHandlers) => {
  signedIn()
  return renderApp(PAGE, handlers)
}

test('who has the privileges sees the rows, and opens the statement as a query where it ran', async () => {
  const app = open({
    'result.facts': () => FACTS,
    'query.resultWindow': () => ({
      fields: [{ name: 'n', type: 'BIGINT', family: 'number' }],
      rows: [['41'], ['42']],
      longCells: [],
      totalRows: 2,
      complete: true,
      expiresAt: FACTS.expiresAt,
    }),
  })
  expect(await screen.findByRole('heading', { name: 'Result of anna' })).toBeTruthy()
  const grid = await screen.findByRole('grid')
  await waitFor(() =>
    expect(
      within(grid)
        .getAllByRole('gridcell')
        .map(({ textContent }) => textContent),
    ).toEqual(['41', '42']),
  )
  expect(screen.getByRole('region', { name: 'Statement' }).textContent).toBe(FACTS.sql)
  await app.user.click(screen.getByRole('button', { name: 'Open as query' }))
  await waitFor(() =>
    expect(app.server.callsOf('editor.createTab')).toMatchObject([
      { sql: FACTS.sql, catalog: 'default_catalog', database: 'sales' },
    ]),
  )
})

test.each([
  ['NoPermission', 'You do not have access to this result', 'You need SELECT on sales.orders.'],
  ['ResultExpired', 'This result has expired', 'Results are kept for one day.'],
  ['NotFound', 'Result not found', 'It is not shared, or it does not exist'],
] as const)('%s: no rows, and a page that says why', async (code, title, words) => {
  const app = open({ 'result.facts': () => refuse(code, 'You need SELECT on sales.orders.') })
  expect(await screen.findByRole('heading', { name: title })).toBeTruthy()
  expect(screen.getByText(words, { exact: false })).toBeTruthy()
  expect(app.server.callsOf('query.resultWindow')).toEqual([])
})
