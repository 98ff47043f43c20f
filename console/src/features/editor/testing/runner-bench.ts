import { createRealtimeClient } from '@boathouse/client/realtime-client'
import { fakeClock } from '@boathouse/client/testing/fake-clock'
import { fakeSockets } from '@boathouse/client/testing/fake-socket'
import type { QueryReq } from '@boathouse/contract/realtime'
import { vi } from 'vitest'
import { createEditorStore } from '../tabs/editor-store.ts'
import { createQueryRunner } from '../running/query-runner.ts'
import { createResultMemory } from '../running/result-memory.ts'
import { createRunMemory } from '../running/run-memory.ts'
import { preparedSockets } from './prepared-sockets.ts'

export const TAB = 'tab-1'

export const target = { sql: 'select 1', from: 4 }

/**
 * The real channel client over a socket that the test holds the other end of; what prepares a connection is answered
 * at once, unless the test does that. A second one in the same test is the page after a reload.
 */
export function bench({ isOpen = true, catalog = '', database = '', prepares = true, at = 0 } = {}) {
  const clock = fakeClock()
  clock.advance(at)
  const sockets = prepares ? preparedSockets() : fakeSockets()
  const realtime = createRealtimeClient({
    address: () => 'ws://test',
    openSocket: sockets.open,
    clock,
    log: () => undefined,
  })
  const store = createEditorStore()
  const kill = vi.fn<(requestId: string) => Promise<unknown>>(async () => ({ stopped: true }))
  const memory = createRunMemory(window.sessionStorage)
  const results = createResultMemory(window.localStorage)
  const runner = createQueryRunner({ store, realtime, memory, results, kill, now: clock.now })
  const saved = { tabId: TAB, tabName: 'Query', parentFolderName: '', sql: '', revision: 1 }
  const owned = { access: 'own' as const, owner: 'ann', chart: null, parameters: [] }
  store.open({ ...saved, ...owned, catalog, database, hidden: false, active: true, sample: false }, {})
  realtime.open()
  if (isOpen) sockets.latest().accept()
  const query = (): QueryReq => {
    const last = sockets.latest().queries().at(-1)
    if (!last) throw new Error('Nothing was sent to run.')
    return last
  }
  const tab = () => {
    const open = store.tab(TAB)
    if (!open) throw new Error('The tab is not open.')
    return open
  }
  return { clock, sockets, realtime, store, kill, runner, query, tab }
}
