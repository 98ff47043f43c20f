import { accountPollMs } from '@boathouse/contract/account-state'
import { editor as editorCalls } from '@boathouse/contract/editor'
import { perms } from '@boathouse/contract/perms'
import { user as userCalls } from '@boathouse/contract/user'
import { QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { adaLovelace } from '../testing/people.ts'
import { refuse, type StubHandlers, stubServer } from '../testing/stub-server.ts'
import { type CallEvent, callEvents, createQueryClient, queryKeyOf, useAction, useCall } from './api.ts'
import { session } from './session.ts'

const details = {
  tabId: 'a2b6f0f8-5a3f-4c0c-8f0e-2f7c1f9a0b11',
  revision: 0,
  hidden: false,
  active: true,
  sample: false,
  chart: null,
  parameters: [],
  access: 'own' as const,
  owner: 'ann',
}
const tab = { ...details, tabName: 'Query 1', parentFolderName: '', catalog: '', database: '', sql: '' }

let received: CallEvent[]
let stop: () => void
beforeEach(() => {
  received = []
  stop = callEvents.subscribe((event) => received.push(event))
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})
const failures = () => received.filter((event) => event.type === 'failed')

function start(handlers: StubHandlers, retries = 0) {
  const server = stubServer(handlers)
  const queries = createQueryClient({ retries })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  )
  const render = <T,>(hook: () => T) => renderHook(hook, { wrapper })
  return { server, queries, render }
}

describe('useCall', () => {
  test('asks once for the same call and input, and shares the answer', async () => {
    const { server, queries, render } = start({ 'editor.tabDetail': () => tab })
    const { result } = render(() => [
      useCall(editorCalls.tabDetail, { tabId: tab.tabId }),
      useCall(editorCalls.tabDetail, { tabId: tab.tabId }),
    ])
    await waitFor(() => expect(result.current.map((query) => query.data)).toEqual([tab, tab]))
    expect(server.callsOf('editor.tabDetail')).toEqual([{ tabId: tab.tabId }])
    const key = queryKeyOf(editorCalls.tabDetail, { tabId: tab.tabId })
    expect(key).toEqual(['/editor/tab-detail', { tabId: tab.tabId }])
    expect(queries.getQueryData(key)).toEqual(tab)
  })

  test('a refusal is not retried and is shown once, however many wait for it', async () => {
    const { server, render } = start({ 'editor.tabDetail': () => refuse('NotFound', 'It is gone.') }, 2)
    const { result } = render(() => [
      useCall(editorCalls.tabDetail, { tabId: tab.tabId }),
      useCall(editorCalls.tabDetail, { tabId: tab.tabId }),
    ])
    await waitFor(() => expect(result.current[0]?.error?.codeName).toBe('NotFound'))
    expect(server.callsOf('editor.tabDetail')).toHaveLength(1)
    expect(failures()).toMatchObject([{ toast: { message: 'It is gone.', durationMs: 3_000 } }])
  })

  test('an unreachable service is retried before anything is shown', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let tries = 0
    const { render } = start(
      { 'editor.tabDetail': () => (++tries < 3 ? refuse('Unavailable', 'Starting.') : tab) },
      2,
    )
    const { result } = render(() => useCall(editorCalls.tabDetail, { tabId: tab.tabId }))
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(result.current.data).toEqual(tab)
    expect(tries).toBe(3)
    expect(failures()).toEqual([])
  })

  test('a list that a busy service did not send in its short time is asked for again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    let tries = 0
    const empty = { list: [], total: 0 }
    const { render } = start({ 'perms.roleGrants': () => (++tries < 2 ? new Promise(() => {}) : empty) }, 2)
    const asked = { role: 'crew', search: '', page: 1, pageSize: 20 }
    const { result } = render(() => useCall(perms.roleGrants, asked))
    await act(() => vi.advanceTimersByTimeAsync(perms.roleGrants.timeoutMs + 1_000))
    expect(result.current.data).toEqual(empty)
    expect(failures()).toEqual([])
  })

  test('can be silent, and a call that fills a page always is [API-25]', async () => {
    const { render } = start({
      'editor.tabDetail': () => refuse('NotFound', 'It is gone.'),
      'user.info': () => refuse('Internal', 'Oops.'),
    })
    const { result } = render(() => [
      useCall(editorCalls.tabDetail, { tabId: tab.tabId }, { silent: true }),
      useCall(userCalls.info, {}),
    ])
    await waitFor(() => expect(result.current.every((query) => query.isError)).toBe(true))
    expect(failures()).toEqual([])
  })

  test.each([
    [3, 3_000],
    [4, 3_000],
    [5, 3_000],
    [2, 60_000],
  ])('can poll: account info in state %d every %d ms', async (accountState, ms) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { server, render } = start({
      'user.accountInfo': () => ({ region: 'local', accountId: 'ABC12345', accountState }),
    })
    const poll = {
      refetchInterval: (query: { state: { data?: { accountState: number } | undefined } }) =>
        accountPollMs(query.state.data?.accountState ?? 2),
    }
    render(() => useCall(userCalls.accountInfo, {}, poll))
    await act(() => vi.advanceTimersByTimeAsync(0))
    expect(server.callsOf('user.accountInfo')).toHaveLength(1)
    await act(() => vi.advanceTimersByTimeAsync(ms - 500))
    expect(server.callsOf('user.accountInfo')).toHaveLength(1)
    await act(() => vi.advanceTimersByTimeAsync(1_000))
    expect(server.callsOf('user.accountInfo')).toHaveLength(2)
  })
})

describe('useAction', () => {
  test('refreshes the named calls once it succeeded, and only then', async () => {
    let limited = true
    const { server, render } = start({
      'editor.listTabTree': () => ({ folders: [], tabs: [], shared: [] }),
      'editor.createTab': () => (limited ? refuse('LimitReached', 'Enough.') : tab),
    })
    const { result } = render(() => ({
      tree: useCall(editorCalls.listTabTree, {}),
      create: useAction(editorCalls.createTab, { refreshes: [editorCalls.listTabTree] }),
    }))
    await waitFor(() => expect(result.current.tree.isSuccess).toBe(true))

    await act(() => result.current.create.mutateAsync({ tabName: 'Query 1' }).catch(() => undefined))
    // The hook is rendered again a moment after the call was refused.
    await waitFor(() => expect(result.current.create.error?.codeName).toBe('LimitReached'))
    expect(server.callsOf('editor.listTabTree')).toHaveLength(1)
    expect(failures()).toHaveLength(1)

    limited = false
    await act(() => result.current.create.mutateAsync({ tabName: 'Query 1' }))
    expect(server.callsOf('editor.createTab')).toHaveLength(2)
    expect(server.callsOf('editor.listTabTree')).toHaveLength(2)
  })
})

test('what one login was shown is gone for the next', () => {
  const { queries } = start({})
  session.start({ token: 'first', info: adaLovelace() })
  queries.setQueryData(queryKeyOf(userCalls.info, {}), adaLovelace())
  session.setMenuMode('Auto')
  expect(queries.getQueryData(queryKeyOf(userCalls.info, {}))).toBeDefined()
  session.start({ token: 'second', info: adaLovelace({ user: 'grace' }) })
  expect(queries.getQueryData(queryKeyOf(userCalls.info, {}))).toBeUndefined()
})

test('a user who returns after a timed-out login finds what they saw, and it is loaded again', async () => {
  session.start({ token: 'first', info: adaLovelace() })
  const { queries } = start({})
  queries.setQueryData(queryKeyOf(userCalls.info, {}), adaLovelace())
  session.lapse()
  const state = () => queries.getQueryState(queryKeyOf(userCalls.info, {}))
  expect(state()).toMatchObject({ data: adaLovelace(), isInvalidated: false })
  session.start({ token: 'second', info: adaLovelace() })
  expect(state()).toMatchObject({ data: adaLovelace(), isInvalidated: true })
})
