import type { EditorStore } from '../tabs/editor-store.ts'
import { resumeConnection } from '../tabs/editor-tab.ts'
import type { SessionPlace, Tab } from '../tabs/editor-tab.ts'

export type MemoryStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const PREFIX = 'boathouse-connection.'

const isText = (value: unknown): value is string => typeof value === 'string'

function parse(stored: string | null): SessionPlace | null {
  if (stored === null) return null
  try {
    const value: unknown = JSON.parse(stored)
    if (typeof value !== 'object' || value === null) return null
    const { connId, catalog, database, warehouse, rowLimit } = value as Partial<
      Record<keyof SessionPlace, unknown>
    >
    const isPlace = Number.isInteger(connId) && [catalog, database, warehouse].every(isText)
    return isPlace ? { ...(value as SessionPlace), rowLimit: isText(rowLimit) ? rowLimit : '' } : null
  } catch {
    // Cut off or foreign: the tab begins with a fresh connection, as without a memory.
    return null
  }
}

/** Without a connection, the one before it: it is what the next one takes over from. */
const placeOf = ({ connId, oriConnId, catalog, database, warehouse, rowLimit }: Tab): SessionPlace => ({
  connId: connId > 0 ? connId : oriConnId,
  catalog,
  database,
  warehouse,
  rowLimit,
})

/**
 * A reload must not forget USE and SET WAREHOUSE: the first query after it names the connection the tab had, and the
 * service moves its state to the new one. For this window only, as connections are.
 */
export function rememberConnections(store: EditorStore, storage: MemoryStorage): void {
  function keep(tab: Tab): void {
    try {
      storage.setItem(PREFIX + tab.tabId, JSON.stringify(placeOf(tab)))
    } catch {
      // The browser has no room: after a reload the tab begins with a fresh connection, not with an old place.
      storage.removeItem(PREFIX + tab.tabId)
    }
  }

  store.api.subscribe((state, before) => {
    for (const tab of Object.values(state.tabs)) {
      const known = before.tabs[tab.tabId]
      if (tab === known) continue
      const isNew = !known && tab.connId <= 0
      const remembered = isNew ? parse(storage.getItem(PREFIX + tab.tabId)) : null
      if (remembered) store.replace(resumeConnection(tab, remembered))
      const isMoved =
        (known || tab.connId > 0) && JSON.stringify(placeOf(tab)) !== JSON.stringify(known && placeOf(known))
      if (isMoved) keep(tab)
    }
  })
}
