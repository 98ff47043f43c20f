import type { RealtimeClient } from '@boathouse/client/realtime-client'
import type { EditorTab } from '@boathouse/contract/editor'
import type { GlobalEvent } from '@boathouse/contract/realtime'
import type { EditorStore } from './editor-store.ts'
import type { TextSaver } from './text-saver.ts'

const CHANGED: GlobalEvent = 'GlobalEventTypeEditorChanged'

interface Parts {
  readonly store: EditorStore
  readonly saver: Pick<TextSaver, 'follow'>
  readonly realtime: Pick<RealtimeClient, 'on' | 'status'>
  readonly load: (tabId: string) => Promise<EditorTab>
  /** Asks for the list of saved queries again. */
  readonly refresh: () => void
}

/** What the user's other windows do to saved queries is seen here: names, folders, open tabs and untouched texts. */
export function watchTabs({ store, saver, realtime, load, refresh }: Parts): () => void {
  let wasOpen = realtime.status() === 'open'

  async function look(tabId: string): Promise<void> {
    try {
      saver.follow(await load(tabId))
    } catch {
      // Gone or out of reach: the next save finds out, and nothing that is written here is lost by it.
    }
  }

  const unsubscribers = [
    realtime.on('event', ({ type, data }) => {
      if (type !== CHANGED) return
      const { tabId, revision } = (data ?? {}) as { tabId?: unknown; revision?: unknown }
      if (typeof tabId !== 'string' || typeof revision !== 'number') return refresh()
      const tab = store.tab(tabId)
      if (tab && tab.save === 'saved' && revision > tab.revision) void look(tabId)
    }),
    // Events that came while the channel was down are not sent again.
    realtime.on('status', (status) => {
      if (status !== 'open') return
      if (wasOpen) {
        refresh()
        for (const tab of Object.values(store.api.getState().tabs)) void look(tab.tabId)
      }
      wasOpen = true
    }),
  ]
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}
