import '../../../i18n/together.ts'
import { editor } from '@boathouse/contract/editor'
import { SeenPresence } from '@boathouse/contract/editor-live'
import type { GlobalEvent } from '@boathouse/contract/realtime'
import { useEffect, useState } from 'react'
import type { RefObject } from 'react'
import { t } from '../../../i18n/texts.ts'
import { send } from '../../../lib/api.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import type { SqlEditorHandle } from '../text/use-editor-handle.ts'
import { beginLiveText } from './live-text.ts'
import { colourOf, peerCursors, type Peers, setPeers } from './peers.ts'
import styles from './together.module.css'

interface Props {
  readonly tabId: string
  readonly sqlEditor: RefObject<SqlEditorHandle | null>
}

const PRESENCE: GlobalEvent = 'GlobalEventTypeEditorPresence'
/** Who says nothing for longer is gone. */
const GONE_AFTER_MS = 15_000
const HEARTBEAT_MS = 5_000
/** Between two messages of where the user is. */
const MOVES_EVERY_MS = 300

/** Of this window. */
const clientId = crypto.randomUUID()

/** Lets the text be changed by several at once, and shows who they are. */
export function LiveEditing({ tabId, sqlEditor }: Props) {
  useLiveText(tabId, sqlEditor)
  const peers = usePeers(tabId, sqlEditor)
  useOwnPresence(tabId, sqlEditor, peers.size)
  const names = [...new Set([...peers.values()].map(({ user }) => user))].toSorted()
  return (
    <div className={styles['peers']} role="status" aria-label={t('together.live.here')}>
      {names.map((name) => (
        <span key={name} style={{ borderColor: colourOf(name) }}>
          {name}
        </span>
      ))}
    </div>
  )
}

/** Begins once the text here is the saved one. */
function useLiveText(tabId: string, sqlEditor: RefObject<SqlEditorHandle | null>): void {
  const { store, live, saver } = useEditorRuntime()
  useEffect(() => {
    let isOver = false
    let isAsking = false
    const isSaved = () => {
      const tab = store.tab(tabId)
      return tab?.save === 'saved' && !tab.conflict && tab.revision > 0 && !tab.sample
    }
    async function begin(): Promise<void> {
      if (isAsking || !isSaved() || live.of(tabId)) return
      isAsking = true
      try {
        const saved = await send(editor.tabDetail, { tabId }, { silent: true })
        if (isOver || !isSaved() || live.of(tabId) || store.tab(tabId)?.revision !== saved.revision) return
        const text = beginLiveText(
          { tabId, clientId, host: () => sqlEditor.current, extension: peerCursors },
          saved,
        )
        stop()
        if (!text) return
        live.begin(tabId, text)
        await saver.pull(tabId)
      } catch {
        // Out of reach: the next change tries again, and until then it is saved as any other.
      } finally {
        isAsking = false
      }
    }
    const stop = store.api.subscribe(() => void begin())
    void begin()
    return () => {
      isOver = true
      stop()
    }
  }, [tabId, sqlEditor, store, live, saver])
}

/** Others in the text, as long as they are heard of. */
function usePeers(tabId: string, sqlEditor: RefObject<SqlEditorHandle | null>): Peers {
  const { realtime, clock } = useEditorRuntime()
  const [peers, setKnown] = useState<Peers>(new Map())
  useEffect(() => {
    const heard = new Map<string, { readonly seen: SeenPresence; readonly at: number }>()
    const show = () => {
      for (const [id, { at }] of heard) if (clock.now() - at > GONE_AFTER_MS) heard.delete(id)
      const next = new Map([...heard].map(([id, { seen }]) => [id, seen]))
      setKnown(next)
      const host = sqlEditor.current
      const state = host?.stateOf(tabId)
      if (state) host?.apply(tabId, state.update({ effects: setPeers.of(next) }))
    }
    const stop = realtime.on('event', ({ type, data }) => {
      const seen = type === PRESENCE ? SeenPresence.safeParse(data).data : undefined
      if (!seen || seen.tabId !== tabId || seen.clientId === clientId) return
      if (seen.isHere) heard.set(seen.clientId, { seen, at: clock.now() })
      else heard.delete(seen.clientId)
      show()
    })
    const timer = setInterval(show, HEARTBEAT_MS)
    return () => {
      stop()
      clearInterval(timer)
      heard.clear()
      show()
    }
  }, [tabId, sqlEditor, realtime, clock])
  return peers
}

/** Says where the user is while the text is on the screen: at once to who comes, and with every move if somebody is there. */
function useOwnPresence(
  tabId: string,
  sqlEditor: RefObject<SqlEditorHandle | null>,
  peopleCount: number,
): void {
  const { store } = useEditorRuntime()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const say = () => {
      timer = undefined
      const main = sqlEditor.current?.stateOf(tabId)?.selection.main
      const place = { anchor: main?.anchor ?? 0, head: main?.head ?? 0 }
      // Nobody misses one: the next comes in some seconds.
      send(editor.present, { tabId, clientId, ...place, isHere: true }, { silent: true }).catch(
        () => undefined,
      )
    }
    const moved = () => (timer ??= setTimeout(say, MOVES_EVERY_MS))
    const stop = store.api.subscribe((now, before) => {
      if (peopleCount > 0 && now.cursor !== before.cursor) moved()
    })
    const heartbeat = setInterval(() => document.visibilityState === 'visible' && moved(), HEARTBEAT_MS)
    say()
    return () => {
      stop()
      clearTimeout(timer)
      clearInterval(heartbeat)
    }
  }, [tabId, sqlEditor, store, peopleCount])

  useEffect(
    () => () => {
      const gone = { tabId, clientId, anchor: 0, head: 0, isHere: false }
      send(editor.present, gone, { silent: true }).catch(() => undefined)
    },
    [tabId],
  )
}
