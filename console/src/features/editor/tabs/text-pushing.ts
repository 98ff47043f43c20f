import type { EditorTab } from '@boathouse/contract/editor'
import { LIMITS } from '@boathouse/contract/limits'
import { normaliseBreaks, type Tab } from './editor-tab.ts'
import type { UnsavedTexts } from './unsaved-texts.ts'
import type { SaverDeps } from './text-saver.ts'

/** Saved this long after the last key. */
export const QUIET_MS = 400

const RETRY_FIRST_MS = 2_000

const RETRY_MAX_MS = 30_000

/** A retry does not help, for example while nobody is signed in; the journal still has the text. */
const HOPELESS = new Set([
  'LoginRequired',
  'NoPermission',
  'BadInput',
  'TooLarge',
  'LimitReached',
  'ReadOnly',
])

/** In place of what was written here, which is a copy by now. */
async function showSaved({ store, load }: Pick<SaverDeps, 'store' | 'load'>, tabId: string): Promise<void> {
  try {
    const { sql, revision, access } = await load(tabId)
    store.setText(tabId, { sql: normaliseBreaks(sql), revision, access })
  } catch {
    // It is gone for this user, which the page finds out with its next call.
  }
}

/** Sends texts to the server, again after a failure, and finds conflicts. */
export function createTextPushing(
  { store, clock, save, load, create, codeOf, live }: SaverDeps,
  { pendingOf, record, heldAs, forget }: UnsavedTexts,
  /** What was written into a query of others that may not be changed any more. */
  keepAsCopy: (tab: Tab) => void,
) {
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
    if (!tab || tab.conflict || tab.save === 'saved' || state.inFlight || state.deletedAt !== null) return
    const { sql, revision } = tab
    if (sql.length > LIMITS.sqlLength) return store.setText(tabId, { save: heldAs(tab) })
    const earlier = state.unanswered
    state.inFlight = true
    state.unanswered = sql
    state.since = null
    record(tabId)
    store.setText(tabId, { save: 'saving' })
    try {
      const saved = revision === 0 ? await make(tab) : { sql, ...(await save({ tabId, sql, revision })) }
      state.inFlight = false
      acknowledge(tabId, saved)
    } catch (error) {
      state.inFlight = false
      await fail(tabId, codeOf(error), earlier)
    }
  }

  async function make(tab: Tab): Promise<{ sql: string; revision: number }> {
    const made = await create(tab)
    return { sql: normaliseBreaks(made.sql), revision: made.revision }
  }

  /**
   * The server has lost the tab, or it was deleted elsewhere: the text of this browser restores it. If the bin had another
   * text than the one that ours was made from, that is a conflict.
   */
  async function restore(tabId: string, earlier: string | null): Promise<void> {
    const tab = store.tab(tabId)
    if (!tab) return
    if (pendingOf(tabId).deletedAt !== null) return store.setText(tabId, { save: heldAs(tab) })
    try {
      const made = await make(tab)
      const isOurs = made.sql === tab.sql || made.revision === tab.revision
      if (isOurs) return acknowledge(tabId, made)
      store.setText(tabId, { conflict: made, save: heldAs(tab) })
    } catch (error) {
      const code = codeOf(error)
      await fail(tabId, code === 'NotFound' ? 'Unavailable' : code, earlier)
    }
  }

  /** The server has `saved`; what the user typed since then still has to be sent. */
  function acknowledge(tabId: string, saved: { sql: string; revision: number }): void {
    const state = pendingOf(tabId)
    const isLatest = store.tab(tabId)?.sql === saved.sql
    Object.assign(state, { unanswered: null, failures: 0 })
    store.setText(tabId, { revision: saved.revision, conflict: null, save: isLatest ? 'saved' : 'unsaved' })
    if (isLatest) return forget(tabId)
    record(tabId)
    schedule(tabId, QUIET_MS)
  }

  async function fail(tabId: string, code: string, earlier: string | null): Promise<void> {
    if (code === 'Conflict') {
      // It is resolved as between any two texts.
      live.end(tabId)
      return compare(tabId, earlier)
    }
    const shared = store.tab(tabId)
    if (shared && shared.access !== 'own' && (code === 'NotFound' || code === 'NoPermission')) {
      live.end(tabId)
      keepAsCopy(shared)
      store.setText(tabId, { save: 'saved' })
      forget(tabId)
      return showSaved({ store, load }, tabId)
    }
    if (code === 'NotFound') return restore(tabId, earlier)
    const state = pendingOf(tabId)
    const tab = store.tab(tabId)
    if (tab) store.setText(tabId, { save: heldAs(tab) })
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
    const tab = store.tab(tabId)
    if (!tab) return
    const isOurs = sql === tab.sql || sql === earlier
    if (isOurs) return acknowledge(tabId, { sql, revision: server.revision })
    store.setText(tabId, { conflict: { sql, revision: server.revision }, save: heldAs(tab) })
  }

  return { schedule, push, acknowledge }
}
