import { editor } from '@boathouse/contract'
import { isCallError, send } from '../../lib/api.ts'
import { browserClock } from '../../lib/clock.ts'
import type { ClockLike } from '../../lib/clock.ts'
import type { RealtimeClient } from '../../lib/realtime-client.ts'
import { useRealtime } from '../../lib/realtime-context.tsx'
import { session } from '../../lib/session.ts'
import type { Session } from '../../lib/session.ts'
import { rememberConnections } from './connection-memory.ts'
import { createEditorStore } from './editor-store.ts'
import type { EditorStore } from './editor-store.ts'
import { createPlaceSaver } from './place-saver.ts'
import type { PlaceSaver } from './place-saver.ts'
import { createRunMemory } from './run-memory.ts'
import type { RunStorage } from './run-memory.ts'
import { createQueryRunner } from './query-runner.ts'
import type { QueryRunner } from './query-runner.ts'
import { createTextJournal } from './text-journal.ts'
import type { JournalStorage } from './text-journal.ts'
import { createTextSaver } from './text-saver.ts'
import type { TextSaver } from './text-saver.ts'

/** Everything of the editor that outlives its page: leaving and coming back finds the work as it was. */
export interface EditorRuntime {
  readonly store: EditorStore
  readonly saver: TextSaver
  readonly runner: QueryRunner
  readonly savePlace: PlaceSaver
  readonly realtime: RealtimeClient
  readonly clock: ClockLike
}

export interface RuntimeParts {
  readonly realtime: RealtimeClient
  readonly clock: ClockLike
  readonly storage: JournalStorage
  /** Of this window alone. */
  readonly windowStorage: RunStorage
  readonly session: Pick<Session, 'get' | 'subscribe'>
}

export function createEditorRuntime(parts: RuntimeParts): EditorRuntime {
  const { realtime, clock, storage, session } = parts
  const store = createEditorStore()
  rememberConnections(store, parts.windowStorage)
  const saver = createTextSaver({
    store,
    journal: createTextJournal(storage),
    clock,
    save: (text) => send(editor.updateSql, text),
    load: (tabId) => send(editor.tabDetail, { tabId }, { silent: true }),
    codeOf: (error) => (isCallError(error) ? error.codeName : 'Unavailable'),
  })
  const runner = createQueryRunner({
    store,
    realtime,
    memory: createRunMemory(parts.windowStorage),
    kill: (requestId) => send(editor.kill, { requestId }),
    now: () => clock.now(),
  })
  const savePlace = createPlaceSaver({ store, save: (place) => send(editor.updateTabDatabase, place) })
  let { token } = session.get()
  session.subscribe(() => {
    const next = session.get().token
    if (next !== token) store.clear()
    token = next
  })
  return { store, saver, runner, savePlace, realtime, clock }
}

/** One for each channel, and a page has one channel. */
const runtimes = new WeakMap<RealtimeClient, EditorRuntime>()

export function runtimeOf(realtime: RealtimeClient): EditorRuntime {
  const known = runtimes.get(realtime)
  if (known) return known
  const made = createEditorRuntime({
    realtime,
    clock: browserClock,
    storage: window.localStorage,
    windowStorage: window.sessionStorage,
    session,
  })
  runtimes.set(realtime, made)
  return made
}

export const useEditorRuntime = (): EditorRuntime => runtimeOf(useRealtime())
