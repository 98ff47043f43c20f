import type { EditorTab } from '@boathouse/contract/editor'
import { normaliseBreaks } from './editor-tab.ts'
import { openingText } from './text-journal.ts'
import { QUIET_MS } from './text-pushing.ts'
import type { SaverDeps } from './text-saver.ts'
import type { UnsavedTexts } from './unsaved-texts.ts'

/** Opens tabs with the text that is right for them: the saved one, or the newer one of this browser. */
export function createTextOpening(
  { store, journal, clock, live }: SaverDeps,
  unsaved: UnsavedTexts,
  schedule: (tabId: string, delayMs: number) => void,
) {
  const { pending, pendingOf, record, forget } = unsaved

  /** The user has restored the tab: what was not saved before its deletion is saved now. */
  function undelete(tabId: string): void {
    journal.setDeleted(tabId, null)
    const state = pending.get(tabId)
    if (!state || state.deletedAt === null) return
    state.deletedAt = null
    schedule(tabId, QUIET_MS)
  }

  return {
    /** Another window saved a newer text: a text without changes here follows it. */
    follow(saved: EditorTab): void {
      const tab = store.tab(saved.tabId)
      if (tab && tab.access !== saved.access) store.setText(saved.tabId, { access: saved.access })
      // One that others change at the same time has its own way.
      if (live.of(saved.tabId)) return
      if (!tab || tab.save !== 'saved' || tab.conflict || saved.revision <= tab.revision) return
      store.setText(saved.tabId, { sql: normaliseBreaks(saved.sql), revision: saved.revision })
    },

    /** True when this browser has a text of a tab that the server does not know: the tab is recreated with it. */
    reopen(tabId: string, tabName: string): boolean {
      const entry = journal.read(tabId)
      if (!entry) return false
      const place = {
        parentFolderName: '',
        catalog: '',
        database: '',
        hidden: false,
        active: true,
        sample: false,
        chart: null,
        parameters: [],
        access: 'own' as const,
        owner: '',
      }
      store.open({ tabId, tabName, ...place, sql: entry.sql, revision: 0 }, { save: 'unsaved' })
      schedule(tabId, QUIET_MS)
      return true
    },

    /** Opens a tab with the text that is right for it. */
    open(saved: EditorTab): void {
      undelete(saved.tabId)
      if (store.tab(saved.tabId)) return store.open(saved, { access: saved.access })
      const sql = normaliseBreaks(saved.sql)
      const entry = journal.read(saved.tabId)
      const text = openingText({ sql, revision: saved.revision }, entry)
      pending.delete(saved.tabId)
      if (text.kind === 'saved') {
        forget(saved.tabId)
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

    /**
     * The user deletes these tabs here, or the deletion failed: their unsaved texts neither restore them automatically
     * nor stay longer than the bin keeps the tabs.
     */
    setDeleted(tabIds: readonly string[], isDeleted: boolean): void {
      for (const tabId of tabIds) {
        if (!isDeleted) {
          undelete(tabId)
          continue
        }
        pendingOf(tabId).deletedAt = clock.now()
        journal.setDeleted(tabId, clock.now())
      }
    },
  }
}
