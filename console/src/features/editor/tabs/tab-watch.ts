import type { RealtimeClient } from '@boathouse/client/realtime-client'
import type { EditorTab } from '@boathouse/contract/editor'
import type { GlobalEvent } from '@boathouse/contract/realtime'
import type { LiveTexts } from '../together/live-texts.ts'
import type { EditorStore } from './editor-store.ts'
import type { TextSaver } from './text-saver.ts'

const CHANGED: GlobalEvent = 'GlobalEventTypeEditorChanged'

interface Parts {
  readonly store: EditorStore
  readonly saver: Pick<TextSaver, 'follow' | 'pull'>
  readonly live: Pick<LiveTexts, 'of'>
  readonly realtime: Pick<RealtimeClient, 'on' | 'status'>
  readonly load: (tabId: string) => Promise<EditorTab>
  /** Asks for the list of saved queries again. */
  readonly refresh: () => void
  /** It is not there any more for this user. */
  readonly gone: (tabId: string) => void
}

/** What other windows and other users do to saved queries is seen here: names, folders, open tabs and untouched texts. */
export function watchTabs({ store, saver, live, realtime, load, refresh, gone }: Parts): () => void {
  let wasOpen = realtime.status() === 'open'

  async function look(tabId: string): Promise<void> {
    try {
      saver.follow(await load(tabId))
    } catch {
      // Gone or out of reach: the next save finds out, and nothing that is written here is lost by it.
      if (store.tab(tabId)?.access !== 'own') gone(tabId)
    }
  }

  /** Of queries of others: what the user may do with them. */
  function lookAtShared(): void {
    for (const { tabId, access } of Object.values(store.api.getState().tabs))
      if (access !== 'own') void look(tabId)
  }

  const unsubscribers = [
    realtime.on('event', ({ type, data }) => {
      if (type !== CHANGED) return
      const { tabId, revision } = (data ?? {}) as { tabId?: unknown; revision?: unknown }
      if (typeof tabId !== 'string' || typeof revision !== 'number') {
        refresh()
        return lookAtShared()
      }
      const tab = store.tab(tabId)
      if (live.of(tabId)) return void (tab && revision > tab.revision && saver.pull(tabId, revision))
      if (tab && tab.save === 'saved' && revision > tab.revision) void look(tabId)
    }),
    // Events that came while the channel was down are not sent again.
    realtime.on('status', (status) => {
      if (status !== 'open') return
      if (wasOpen) {
        refresh()
        for (const { tabId } of Object.values(store.api.getState().tabs))
          void (live.of(tabId) ? saver.pull(tabId) : look(tabId))
      }
      wasOpen = true
    }),
  ]
  return () => {
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}
