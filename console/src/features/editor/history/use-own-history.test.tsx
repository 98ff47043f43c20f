import type { Input } from '@boathouse/contract'
import type { HistoryEntry, query } from '@boathouse/contract/query'
import { QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { createQueryClient } from '../../../lib/api.ts'
import { session } from '../../../lib/session.ts'
import { adaLovelace } from '../../../testing/people.ts'
import { stubServer } from '../../../testing/stub-server.ts'
import { useOwnHistory } from './use-own-history.ts'

afterEach(() => session.end())

const entryOf = (sql: string): HistoryEntry => ({
  queryId: `query of ${sql}`,
  requestId: `request of ${sql}`,
  user: 'ada',
  door: 'channel',
  clientIp: '127.0.0.1',
  privateEndpoint: '',
  program: '',
  key: '',
  warehouse: 'default_warehouse',
  catalog: '',
  database: '',
  sql,
  sqlCut: false,
  values: null,
  shortenedFromBytes: null,
  kind: 'select',
  state: 'finished',
  effect: null,
  acceptedAt: '2026-11-01T10:00:00.000Z',
  startedAt: null,
  endedAt: null,
  durationMs: 3,
  compileMs: null,
  fetchMs: null,
  rows: 1,
  bytes: null,
  peakMemoryBytes: null,
  peakSpillBytes: null,
  engine: 'embedded',
  error: '',
  result: 'none',
  cost: null,
})

/** Three pages; the service finds a text in whichever it is. */
const PAGES = [['select 1', 'select 2'], ['select 3'], ['select oars', 'select 4']]

function opened(search = '', matches: (entry: HistoryEntry) => boolean = () => true) {
  session.start({ token: 'token', info: adaLovelace() })
  const server = stubServer({
    'query.history': ({ text = '', after = '0' }: Input<typeof query.history>) => {
      const at = Number(after)
      const found = (PAGES[at] ?? []).filter((sql) => sql.includes(text))
      const next = at + 1 < PAGES.length ? String(at + 1) : null
      return { entries: found.map(entryOf), next, searchedTo: null }
    },
  })
  const client = createQueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const hook = renderHook(
    ({ text }: { text: string }) => useOwnHistory({ isOpen: true, search: text, matches }),
    { wrapper, initialProps: { text: search } },
  )
  const shown = () => hook.result.current.shown.map(({ sql }) => sql)
  return { server, hook, shown }
}

test('the history of the editor is of the user alone, whatever others of the account they may see', async () => {
  const { server, shown } = opened()
  await waitFor(() => expect(shown()).toEqual(['select 1', 'select 2']))
  expect(server.callsOf('query.history')).toEqual([
    expect.objectContaining({ user: adaLovelace().user, limit: 50 }),
  ])
})

test('a text is searched for by the service, behind what is loaded too', async () => {
  const { server, hook, shown } = opened()
  await waitFor(() => expect(shown()).toHaveLength(2))
  hook.rerender({ text: ' oars ' })
  // Nothing is shown that does not match, not even until the service has answered.
  expect(shown()).toEqual([])
  expect(hook.result.current.isLooking).toBe(true)
  await waitFor(() => expect(shown()).toEqual(['select oars']))
  expect(hook.result.current.isLooking).toBe(false)
  expect(server.callsOf('query.history').at(-1)).toMatchObject({ text: 'oars', after: '2' })
})

test('what ran in a tab is looked for page after page until there is some', async () => {
  const { shown } = opened('', ({ sql }) => sql === 'select 4')
  await waitFor(() => expect(shown()).toEqual(['select 4']))
})

test('what is nowhere is looked for to the end, and no longer', async () => {
  const { server, hook, shown } = opened('keel')
  await waitFor(() => expect(hook.result.current.pages.isSuccess).toBe(true))
  await waitFor(() => expect(hook.result.current.isLooking).toBe(false))
  expect(shown()).toEqual([])
  expect(server.callsOf('query.history')).toHaveLength(PAGES.length)
})
