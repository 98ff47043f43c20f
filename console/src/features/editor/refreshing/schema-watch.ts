import type { ClockLike, TimerId } from '@boathouse/client/clock'
import type { RealtimeClient } from '@boathouse/client/realtime-client'
import type { GlobalEvent, QueryRsp } from '@boathouse/contract/realtime'
import { aftermathOf } from './after-query.ts'
import type { EditorStore } from '../tabs/editor-store.ts'
import { openedBy } from '../tabs/place.ts'
import { createRefresher, EVERYTHING } from './refresher.ts'
import type { Stale } from './refresher.ts'
import { isFinal, isSkipped } from '../running/run.ts'
import type { SessionChange } from '../running/run.ts'

export interface SchemaWatchParts {
  readonly store: EditorStore
  readonly realtime: Pick<RealtimeClient, 'on' | 'status'>
  readonly clock: ClockLike
  readonly refresh: (stale: Stale) => Promise<unknown>
  /** The tab has another place than before. */
  readonly placeChanged: (tabId: string) => void
}

const CATALOG: GlobalEvent = 'GlobalEventTypeCatalogChanged'
const DATABASE: GlobalEvent = 'GlobalEventTypeDatabaseChanged'

/** An event that does not say where may be about anything. */
function staleAfterEvent(type: string, data: unknown): Stale | null {
  if (type === CATALOG) return EVERYTHING
  if (type !== DATABASE) return null
  const { catalog, database } = (data ?? {}) as { catalog?: unknown; database?: unknown }
  const isPlace = typeof catalog === 'string' && typeof database === 'string'
  return { catalogs: false, places: isPlace ? [{ catalog, database }] : 'all' }
}

/** Keeps what the tree of catalogs shows true: after statements of this page, and after what others did. */
export function watchSchema({ store, realtime, clock, refresh, placeChanged }: SchemaWatchParts): () => void {
  const refresher = createRefresher({ clock, refresh })
  const timers = new Set<TimerId>()
  let wasOpen = realtime.status() === 'open'

  function requestIn(ms: number, stale: Stale): void {
    if (ms === 0) return refresher.request(stale)
    const timer = clock.setTimeout(() => {
      timers.delete(timer)
      refresher.request(stale)
    }, ms)
    timers.add(timer)
  }

  /** The place of the shown tab is selected in the tree. */
  function moved(tabId: string, { catalog, database }: SessionChange): void {
    const tab = store.tab(tabId)
    if (!tab || (catalog === null && database === null)) return
    const place = { catalog: catalog ?? tab.catalog, database: database ?? tab.database }
    if (store.api.getState().activeTabId === tabId) store.openRows(openedBy(place))
    refresher.request({ catalogs: false, places: [place] })
    placeChanged(tabId)
  }

  /** Tabs keep their place, which is stored by the id of the catalog. */
  function renamed(data: unknown): void {
    const { catalog, renamedTo } = (data ?? {}) as { catalog?: unknown; renamedTo?: unknown }
    if (typeof renamedTo !== 'string') return
    for (const tab of Object.values(store.api.getState().tabs)) {
      if (tab.catalog !== catalog) continue
      const place = { catalog: renamedTo, database: tab.database }
      store.choosePlace(tab.tabId, place, clock.now())
      store.openRows(openedBy(place))
    }
  }

  function answered({ channel, requestId, statementIndex }: QueryRsp): void {
    const run = store.tab(channel)?.runs.find((one) => one.requestId === requestId)
    const statement = run?.statements.find(({ index }) => index === statementIndex)
    if (
      !run?.visible ||
      run.endedBefore !== null ||
      !statement ||
      !isFinal(statement.state) ||
      isSkipped(run, statement)
    )
      return
    const after = aftermathOf(statement)
    for (const ms of after?.delaysMs ?? []) if (after) requestIn(ms, after.stale)
    if (statement.change) moved(channel, statement.change)
  }

  const unsubscribers = [
    realtime.on('answer', answered),
    realtime.on('event', ({ type, data }) => {
      if (type === CATALOG) renamed(data)
      const stale = staleAfterEvent(type, data)
      if (stale) refresher.request(stale)
    }),
    // Events of a channel that was down for long do not come after all.
    realtime.on('status', (status) => {
      if (status !== 'open') return
      if (wasOpen) refresher.request(EVERYTHING)
      wasOpen = true
    }),
  ]
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe()
    for (const timer of timers) clock.clearTimeout(timer)
    refresher.close()
  }
}
