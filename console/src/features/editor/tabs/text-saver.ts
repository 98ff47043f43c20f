import type { ClockLike, TimerId } from '@boathouse/client/clock'
import type { EditorTab } from '@boathouse/contract/editor'
import { normaliseBreaks } from './editor-tab.ts'
import type { EditorStore } from './editor-store.ts'
import { openingText } from './text-journal.ts'
import type { TextJournal } from './text-journal.ts'

export interface SaverDeps {
  readonly store: EditorStore
  readonly journal: TextJournal
  readonly clock: Pick<ClockLike, 'now' | 'setTimeout' | 'clearTimeout'>
  save(text: { tabId: string; sql: string; revision: number }): Promise<{ revision: number }>
  load(tabId: string): Promise<EditorTab>
  /** The code of a failed call, 'Unavailable' for one that got no answer. */
  codeOf(error: unknown): string
}

/** Saved this long after the last key, or this long after the first one that is not saved: within a second. */
const QUIET_MS = 400
const LONGEST_MS = 900
const RETRY_FIRST_MS = 2_000
const RETRY_MAX_MS = 30_000
/** Trying again does not help: the tab is gone, or nobody is signed in yet; the journal still has the text. */
const HOPELESS = new Set(['NotFound', 'LoginRequired', 'NoPermission', 'BadInput', 'TooLarge'])

interface Pending {
  timer: TimerId
  /** When the oldest unsaved key was pressed; null: nothing is unsaved. */
  since: number | null
  inFlight: boolean
  /** Sent, and never answered: the server may have it. */
  unanswered: string | null
  failures: number
}

/** Book 8.9: every key reaches the journal at once and the server within a second; conflicts are shown. */
export function createTextSaver({ store, journal, clock, save, load, codeOf }: SaverDeps) {
  const pending = new Map<string, Pending>()

  function pendingOf(tabId: string): Pending {
    const known = pending.get(tabId)
    if (known) return known
    const fresh: Pending = { timer: null, since: null, inFlight: false, unanswered: null, failures: 0 }
    pending.set(tabId, fresh)
    return fresh
  }

  function record(tabId: string): void {
    const tab = store.tab(tabId)
    if (!tab) return
    const sent = pendingOf(tabId).unanswered
    journal.write(tabId, { sql: tab.sql, baseRevision: tab.revision, sent, at: clock.now() })
  }

  function schedule(tabId: string, delayMs: number): void {
    const state = pendingOf(tabId)
    if (state.timer !== null) clock.clearTimeout(state.timer)
    state.timer = clock.setTimeout(() => {
      state.timer = null
      void push(tabId)
    }, delayMs)
  }

  async function push(tabId: string): Promise<void> {
    const tab = store.tab(tabId)
    const state = pendingOf(tabId)
    if (!tab || tab.conflict || tab.save === 'saved' || state.inFlight) return
    const { sql, revision } = tab
    const earlier = state.unanswered
    state.inFlight = true
    state.unanswered = sql
    state.since = null
    record(tabId)
    store.setText(tabId, { save: 'saving' })
    try {
      const answer = await save({ tabId, sql, revision })
      state.inFlight = false
      acknowledge(tabId, { sql, revision: answer.revision })
    } catch (error) {
      state.inFlight = false
      await fail(tabId, codeOf(error), earlier)
    }
  }

  /** The server has `saved`; what was typed since then still has to follow. */
  function acknowledge(tabId: string, saved: { sql: string; revision: number }): void {
    const state = pendingOf(tabId)
    const isLatest = store.tab(tabId)?.sql === saved.sql
    Object.assign(state, { unanswered: null, failures: 0 })
    store.setText(tabId, { revision: saved.revision, conflict: null, save: isLatest ? 'saved' : 'unsaved' })
    if (isLatest) return journal.drop(tabId)
    record(tabId)
    schedule(tabId, QUIET_MS)
  }

  async function fail(tabId: string, code: string, earlier: string | null): Promise<void> {
    if (code === 'Conflict') return compare(tabId, earlier)
    const state = pendingOf(tabId)
    store.setText(tabId, { save: 'local' })
    if (HOPELESS.has(code)) return
    schedule(tabId, Math.min(RETRY_FIRST_MS * 2 ** state.failures, RETRY_MAX_MS))
    state.failures++
  }

  async function compare(tabId: string, earlier: string | null): Promise<void> {
    let server: EditorTab
    try {
      server = await load(tabId)
    } catch (error) {
      return fail(tabId, codeOf(error) === 'Conflict' ? 'Unavailable' : codeOf(error), earlier)
    }
    const sql = normaliseBreaks(server.sql)
    const isOurs = sql === store.tab(tabId)?.sql || sql === earlier
    if (isOurs) return acknowledge(tabId, { sql, revision: server.revision })
    store.setText(tabId, { conflict: { sql, revision: server.revision }, save: 'local' })
  }

  return {
    /** Opens a tab with the text that is right for it. */
    open(saved: EditorTab): void {
      if (store.tab(saved.tabId)) return store.open(saved, {})
      const sql = normaliseBreaks(saved.sql)
      const entry = journal.read(saved.tabId)
      const text = openingText({ sql, revision: saved.revision }, entry)
      pending.delete(saved.tabId)
      if (text.kind === 'saved') {
        journal.drop(saved.tabId)
        return store.open(saved, {})
      }
      if (text.kind === 'conflict') {
        const conflict = { sql, revision: saved.revision }
        const revision = entry?.baseRevision ?? saved.revision
        return store.open(saved, { sql: text.mine, revision, conflict, save: 'local' })
      }
      store.open(saved, { sql: text.sql, save: 'unsaved' })
      record(saved.tabId)
      schedule(saved.tabId, QUIET_MS)
    },

    edit(tabId: string, sql: string): void {
      const tab = store.tab(tabId)
      if (!tab || tab.sql === sql) return
      const state = pendingOf(tabId)
      const now = clock.now()
      state.since ??= now
      store.setText(tabId, { sql, save: tab.conflict ? 'local' : 'unsaved' })
      record(tabId)
      if (tab.conflict) return
      schedule(tabId, Math.max(0, Math.min(QUIET_MS, state.since + LONGEST_MS - now)))
    },

    /** Before the page goes away: what is not saved is sent now. */
    flush: async (): Promise<void> => {
      const unsaved = Object.values(store.api.getState().tabs).filter((tab) => tab.save === 'unsaved')
      await Promise.all(unsaved.map((tab) => push(tab.tabId)))
    },

    /** Somebody is signed in again: what could not be saved without a login is sent now. */
    retry: async (): Promise<void> => {
      const local = Object.values(store.api.getState().tabs).filter((tab) => tab.save === 'local')
      await Promise.all(local.map((tab) => push(tab.tabId)))
    },

    async keepMine(tabId: string): Promise<void> {
      const conflict = store.tab(tabId)?.conflict
      if (!conflict) return
      store.setText(tabId, { revision: conflict.revision, conflict: null, save: 'unsaved' })
      await push(tabId)
    },

    takeSaved(tabId: string): void {
      const conflict = store.tab(tabId)?.conflict
      if (!conflict) return
      store.setText(tabId, { ...conflict, conflict: null, save: 'saved' })
      journal.drop(tabId)
    },
  }
}

export type TextSaver = ReturnType<typeof createTextSaver>
