import type { ClockLike } from '@boathouse/client/clock'
import { createEmitter } from '@boathouse/client/emitter'
import type { EditorTab } from '@boathouse/contract/editor'
import { copiedTab, normaliseBreaks, type SavedText, type Tab } from './editor-tab.ts'
import type { EditorStore } from './editor-store.ts'
import type { TextJournal } from './text-journal.ts'
import { createUnsavedTexts } from './unsaved-texts.ts'
import { QUIET_MS, createTextPushing } from './text-pushing.ts'
import type { LiveTexts } from '../together/live-texts.ts'
import { createTextOpening } from './text-opening.ts'

export interface SaverDeps {
  readonly store: EditorStore
  readonly journal: TextJournal
  readonly clock: Pick<ClockLike, 'now' | 'setTimeout' | 'clearTimeout'>
  /** Answers the text as well where others have changed it at the same time. */
  save(text: { tabId: string; sql: string; revision: number }): Promise<{ revision: number; sql?: string }>
  readonly live: LiveTexts
  load(tabId: string): Promise<EditorTab>
  /** Creates the tab under its own id, or finds it if it exists. */
  create(
    tab: Pick<Tab, 'tabId' | 'tabName' | 'sql' | 'catalog' | 'database' | 'parameters'>,
  ): Promise<EditorTab>
  newId(): string
  copyName(name: string): string
  /** The code of a failed call, 'Unavailable' for one that got no answer. */
  codeOf(error: unknown): string
}

interface Copied {
  readonly tabId: string
  readonly tabName: string
  /** The text could not be saved where it was written. */
  readonly isLost: boolean
}

/** The same for a text that others may be writing. */
const LIVE_QUIET_MS = 120

/** After the first key that is not saved, however fast the user types: within a second. */
const LONGEST_MS = 900

/** Every key reaches the journal at once and the server within a second; conflicts are shown. */
export function createTextSaver(deps: SaverDeps) {
  const { store, clock } = deps
  const unsaved = createUnsavedTexts(deps)
  const { pendingOf, record, heldAs, isUnkept, forget } = unsaved
  const { schedule, push, acknowledge } = createTextPushing(deps, unsaved, (tab) =>
    copyTab(tab, tab.sql, true),
  )
  /** Copies of edited samples and of queries of others, by these, until they are on the screen. */
  const copies = new Map<string, string>()
  const copied = createEmitter<Copied>()

  /** The first key in a sample, for example: editing continues in a copy, which the page then shows. */
  function copyTab(tab: Tab, sql: string, isLost: boolean): void {
    const copy = { tabId: deps.newId(), tabName: deps.copyName(tab.tabName), sql }
    copies.set(tab.tabId, copy.tabId)
    store.replace(copiedTab(tab, copy))
    record(copy.tabId)
    schedule(copy.tabId, QUIET_MS)
    copied.emit({ ...copy, isLost })
  }

  const opening = createTextOpening(deps, unsaved, schedule)

  async function pullLive(tabId: string, known?: number): Promise<void> {
    const text = deps.live.of(tabId)
    if (!text) return
    try {
      acknowledge(tabId, await text.sync(known))
    } catch (error) {
      // A text with changes is sent again by the saver itself.
      if (store.tab(tabId)?.save !== 'saved' || deps.codeOf(error) !== 'Conflict') return
      deps.live.end(tabId)
      await deps.load(tabId).then(opening.follow, () => undefined)
    }
  }

  return {
    ...opening,

    /** The user edited a sample, for example: the page shows its copy. */
    onCopied: copied.subscribe,

    /** A query of one's own, with the text of this one. */
    saveCopy(tabId: string): void {
      const tab = store.tab(tabId)
      if (tab) copyTab(tab, tab.sql, false)
    },

    /** The tab is on the screen. */
    shown(tabId: string): void {
      for (const [sample, copy] of copies) if (copy === tabId) copies.delete(sample)
    },

    edit(shownId: string, sql: string): void {
      const tabId = copies.get(shownId) ?? shownId
      const tab = store.tab(tabId)
      if (!tab || tab.sql === sql) return
      if (tab.sample) return copyTab(tab, sql, false)
      const state = pendingOf(tabId)
      const now = clock.now()
      state.since ??= now
      store.setText(tabId, { sql, save: tab.conflict ? tab.save : 'unsaved' })
      record(tabId)
      if (tab.conflict) return store.setText(tabId, { save: heldAs({ ...tab, sql }) })
      const quietMs = deps.live.of(tabId) ? LIVE_QUIET_MS : QUIET_MS
      schedule(tabId, Math.max(0, Math.min(quietMs, state.since + LONGEST_MS - now)))
    },

    /** Before the page is left: unsaved texts are sent now. */
    flush: async (): Promise<void> => {
      const toSend = Object.values(store.api.getState().tabs).filter((tab) => tab.save === 'unsaved')
      await Promise.all(toSend.map((tab) => push(tab.tabId)))
    },

    /** Some text would be lost with the page. */
    isAtRisk: (): boolean => Object.values(store.api.getState().tabs).some(isUnkept),

    /** The user is signed in again: texts that could not be saved without a login are sent now. */
    retry: async (): Promise<void> => {
      const local = Object.values(store.api.getState().tabs).filter(
        ({ save: kept }) => kept === 'local' || kept === 'unkept',
      )
      await Promise.all(local.map((tab) => push(tab.tabId)))
    },

    /** Others may have changed the text: it is brought to where they are. What fails is retried with the next change. */
    pull: pullLive,

    /** What others write at the same time is shown; it is theirs to save. */
    takeRemote(tabId: string, sql: string): void {
      store.setText(tabId, { sql })
      if (store.tab(tabId)?.save !== 'saved') record(tabId)
    },

    async keepMine(tabId: string): Promise<void> {
      const conflict = store.tab(tabId)?.conflict
      if (!conflict) return
      store.setText(tabId, { revision: conflict.revision, conflict: null, save: 'unsaved' })
      await push(tabId)
    },

    /** The server has written an earlier text over the saved one. */
    takeRestored(tabId: string, restored: SavedText): void {
      // As a change of others, since it is made on the server.
      if (deps.live.of(tabId)) return void pullLive(tabId)
      const sql = normaliseBreaks(restored.sql)
      store.setText(tabId, { sql, revision: restored.revision, conflict: null, save: 'saved' })
      forget(tabId)
    },

    takeSaved(tabId: string): void {
      const conflict = store.tab(tabId)?.conflict
      if (!conflict) return
      store.setText(tabId, { ...conflict, conflict: null, save: 'saved' })
      forget(tabId)
    },
  }
}

export type TextSaver = ReturnType<typeof createTextSaver>
