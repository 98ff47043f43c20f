import type { EditorStore } from './editor-store.ts'

interface Parts {
  readonly store: Pick<EditorStore, 'tab'>
  readonly save: (place: { tabId: string; catalog: string; database: string }) => Promise<unknown>
}

export type PlaceSaver = (tabId: string) => void

/** EDITOR-60: where a tab stands is saved, one at a time for each tab, so that the last one stays. */
export function createPlaceSaver({ store, save }: Parts): PlaceSaver {
  /** Tabs whose place is on its way; true: it has changed since. */
  const saving = new Map<string, boolean>()

  async function saveNow(tabId: string): Promise<void> {
    const tab = store.tab(tabId)
    if (!tab) return
    saving.set(tabId, false)
    try {
      await save({ tabId, catalog: tab.catalog, database: tab.database })
    } catch {
      // The call itself reports it. This window remembers the place, so only a later one begins elsewhere.
    }
    const hasChanged = saving.get(tabId)
    saving.delete(tabId)
    if (hasChanged) await saveNow(tabId)
  }

  return (tabId) => {
    if (saving.has(tabId)) saving.set(tabId, true)
    else void saveNow(tabId)
  }
}
