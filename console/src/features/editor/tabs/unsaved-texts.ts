import type { TimerId } from '@boathouse/client/clock'
import { LIMITS } from '@boathouse/contract/limits'
import type { SaveState, Tab } from './editor-tab.ts'
import type { SaverDeps } from './text-saver.ts'

interface Pending {
  timer: TimerId
  /** When the oldest unsaved key was pressed; null: nothing is unsaved. */
  since: number | null
  inFlight: boolean
  /** Sent, and never answered: the server may have it. */
  unanswered: string | null
  failures: number
  /** The journal has the text that is on the screen. */
  isKept: boolean
  /** When the user deleted the tab here; null: never, or it was restored. */
  deletedAt: number | null
}

/** What the server does not have yet, written to the journal with every key. */
export function createUnsavedTexts({
  store,
  journal,
  clock,
}: Pick<SaverDeps, 'store' | 'journal' | 'clock'>) {
  const pending = new Map<string, Pending>()

  function pendingOf(tabId: string): Pending {
    const known = pending.get(tabId)
    if (known) return known
    const fresh: Pending = {
      timer: null,
      since: null,
      inFlight: false,
      unanswered: null,
      failures: 0,
      isKept: true,
      deletedAt: null,
    }
    pending.set(tabId, fresh)
    return fresh
  }

  function record(tabId: string): void {
    const tab = store.tab(tabId)
    if (!tab) return
    const state = pendingOf(tabId)
    const { unanswered: sent, deletedAt } = state
    const entry = { sql: tab.sql, baseRevision: tab.revision, sent, at: clock.now(), deletedAt }
    state.isKept = journal.write(tabId, entry)
  }

  /** The state of a text that the server does not have. */
  function heldAs({ tabId, sql }: Tab): SaveState {
    if (!pendingOf(tabId).isKept) return 'unkept'
    return sql.length > LIMITS.sqlLength ? 'tooLong' : 'local'
  }

  const isUnkept = ({ tabId, save: kept }: Tab): boolean =>
    kept !== 'saved' && pending.get(tabId)?.isKept === false

  /** Frees its space in the journal for texts that found none. */
  function forget(tabId: string): void {
    journal.drop(tabId)
    for (const tab of Object.values(store.api.getState().tabs).filter(isUnkept)) {
      record(tab.tabId)
      if (tab.save === 'unkept') store.setText(tab.tabId, { save: heldAs(tab) })
    }
  }

  return { pending, pendingOf, record, heldAs, isUnkept, forget }
}

export type UnsavedTexts = ReturnType<typeof createUnsavedTexts>
