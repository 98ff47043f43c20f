import type { EditorStore } from './editor-store.ts'
import type { Tab } from './editor-tab.ts'

/** The place of a tab, and the display of its rows. */
export type TabSaver = (tabId: string) => void

interface Parts {
  readonly store: Pick<EditorStore, 'tab'>
  readonly save: (tab: Tab) => Promise<unknown>
}

/** Saves something of a tab, one at a time for each tab, so that the last one stays. */
export function createTabSaver({ store, save }: Parts): TabSaver {
  /** Tabs of which it is on its way; true: it has changed since. */
  const saving = new Map<string, boolean>()

  async function saveNow(tabId: string): Promise<void> {
    const tab = store.tab(tabId)
    if (!tab) return
    saving.set(tabId, false)
    try {
      await save(tab)
    } catch {
      // The call itself reports it. This window remembers it, so only a later one begins with something else.
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
