import { systemClock } from '@boathouse/client/clock'
import type { ClockLike } from '@boathouse/client/clock'
import type { RealtimeClient } from '@boathouse/client/realtime-client'
import { editor } from '@boathouse/contract/editor'
import { LIMITS } from '@boathouse/contract/limits'
import { t } from '../../i18n/texts.ts'
import { isCallError, send } from '../../lib/api.ts'
import { watchLogin } from '../../lib/login-watch.ts'
import { useRealtime } from '../../lib/realtime-context.tsx'
import { session } from '../../lib/session.ts'
import type { Session } from '../../lib/session.ts'
import { rememberConnections } from './running/connection-memory.ts'
import { createEditorStore } from './tabs/editor-store.ts'
import type { EditorStore } from './tabs/editor-store.ts'
import { isReadOnly } from './tabs/editor-tab.ts'
import { createTabSaver } from './tabs/tab-saver.ts'
import type { TabSaver } from './tabs/tab-saver.ts'
import { createResultMemory } from './running/result-memory.ts'
import type { ResultMemory, ResultStorage } from './running/result-memory.ts'
import { createRunMemory } from './running/run-memory.ts'
import type { RunStorage } from './running/run-memory.ts'
import { notifyEnded } from './running/notify-ended.ts'
import { createQueryRunner } from './running/query-runner.ts'
import type { QueryRunner } from './running/query-runner.ts'
import { createTextJournal } from './tabs/text-journal.ts'
import type { JournalStorage } from './tabs/text-journal.ts'
import { createTextSaver } from './tabs/text-saver.ts'
import type { TextSaver } from './tabs/text-saver.ts'
import { createLiveTexts, type LiveTexts, StaleText } from './together/live-texts.ts'
import { createRunMarks } from './versions/mark-run.ts'

/** Everything of the editor that outlives its page: a user who returns finds the work unchanged. */
export interface EditorRuntime {
  readonly store: EditorStore
  readonly saver: TextSaver
  readonly runner: QueryRunner
  readonly resultMemory: ResultMemory
  readonly savePlace: TabSaver
  readonly saveChart: TabSaver
  readonly saveParameters: TabSaver
  /** Texts that others may change at the same time. */
  readonly live: LiveTexts
  readonly realtime: RealtimeClient
  readonly clock: ClockLike
}

interface RuntimeParts {
  readonly realtime: RealtimeClient
  readonly clock: ClockLike
  readonly storage: JournalStorage & ResultStorage
  /** Of this window alone. */
  readonly windowStorage: RunStorage
  readonly session: Pick<Session, 'get' | 'subscribe'>
}

/** Names have a greatest length, and what tells a copy from the other comes last. */
function copyName(name: string): string {
  const end = ` (${t('editor.queries.copy')})`
  return (
    Array.from(name)
      .slice(0, LIMITS.queryNameLength - end.length)
      .join('')
      .trimEnd() + end
  )
}

function createEditorRuntime(parts: RuntimeParts): EditorRuntime {
  const { realtime, clock, storage, session } = parts
  const store = createEditorStore()
  rememberConnections(store, parts.windowStorage)
  const journal = createTextJournal(storage)
  const live = createLiveTexts()
  journal.sweep(clock.now())
  const saver = createTextSaver({
    store,
    journal,
    clock,
    save: async (text) => {
      try {
        return await (live.of(text.tabId)?.sync() ?? send(editor.updateSql, text))
      } catch (error) {
        if (isCallError(error) && error.codeName === 'NetworkError') realtime.doubt()
        throw error
      }
    },
    load: (tabId) => send(editor.tabDetail, { tabId }, { silent: true }),
    create: ({ tabId, tabName, sql, catalog, database, parameters }) =>
      send(
        editor.createTab,
        { tabId, tabName, sql, catalog, database, parameters: [...parameters] },
        { silent: true },
      ),
    newId: () => crypto.randomUUID(),
    copyName: (name) => copyName(name),
    live,
    // Both texts are shown where it is no longer known what the others changed.
    codeOf: (error) =>
      isCallError(error) ? error.codeName : error instanceof StaleText ? 'Conflict' : 'Unavailable',
  })
  notifyEnded(store)
  const resultMemory = createResultMemory(storage)
  const queryRunner = createQueryRunner({
    store,
    realtime,
    memory: createRunMemory(parts.windowStorage),
    results: resultMemory,
    kill: (requestId) => send(editor.kill, { requestId }),
    now: () => clock.now(),
  })
  const { markRun } = createRunMarks({ store, saver, mark: (run) => send(editor.markRun, run) })
  const runner: QueryRunner = {
    ...queryRunner,
    run: (tabId, target) => {
      const isSent = queryRunner.run(tabId, target)
      if (isSent) void markRun(tabId)
      return isSent
    },
  }
  const savePlace = createTabSaver({
    store,
    // Where somebody else's query runs is chosen in each window.
    save: async ({ tabId, catalog, database, access }) =>
      access === 'own' ? send(editor.updateTabDatabase, { tabId, catalog, database }) : undefined,
  })
  const saveChart = createTabSaver({
    store,
    // A sample stays as it is, and a tab that only this browser has is not there to be changed.
    save: async ({ tabId, chart, sample, revision, access }) =>
      chart && !sample && revision > 0 && !isReadOnly({ access })
        ? send(editor.updateTabChart, { tabId, chart })
        : undefined,
  })
  const saveParameters = createTabSaver({
    store,
    save: async ({ tabId, parameters, sample, revision, access }) =>
      !sample && revision > 0 && !isReadOnly({ access })
        ? send(editor.updateTabParameters, { tabId, parameters: [...parameters] })
        : undefined,
  })
  watchLogin(session, ({ token, isSamePerson }) => {
    if (!isSamePerson) store.clear()
    else if (token !== null) void saver.retry()
  })
  return { store, saver, runner, resultMemory, savePlace, saveChart, saveParameters, live, realtime, clock }
}

/** One for each channel, and a page has one channel. */
const runtimes = new WeakMap<RealtimeClient, EditorRuntime>()

export function runtimeOf(realtime: RealtimeClient): EditorRuntime {
  const known = runtimes.get(realtime)
  if (known) return known
  const made = createEditorRuntime({
    realtime,
    clock: systemClock,
    storage: window.localStorage,
    windowStorage: window.sessionStorage,
    session,
  })
  runtimes.set(realtime, made)
  // Also on other pages: what is kept nowhere goes with the window.
  window.addEventListener('beforeunload', (event) => made.saver.isAtRisk() && event.preventDefault())
  return made
}

export const useEditorRuntime = (): EditorRuntime => runtimeOf(useRealtime())
