import type { ClockLike, TimerId } from '@boathouse/client/clock'
import { createEmitter } from '@boathouse/client/emitter'
import type { EditorTab } from '@boathouse/contract/editor'
import { LIMITS } from '@boathouse/contract/limits'
import { copiedTab, normaliseBreaks } from './editor-tab.ts'
import type { SaveState, Tab } from './editor-tab.ts'
import type { EditorStore } from './editor-store.ts'
import { openingText } from './text-journal.ts'
import type { TextJournal } from './text-journal.ts'

export interface SaverDeps {
  readonly store: EditorStore
  readonly journal: TextJournal
  readonly clock: Pick<ClockLike, 'now' | 'setTimeout' | 'clearTimeout'>
  save(text: { tabId: string; sql: string; revision: number }): Promise<{ revision: number }>
  load(tabId: string): Promise<EditorTab>
  /** Makes the tab under its own id, or finds it when it is there already. */
  create(tab: Pick<Tab, 'tabId' | 'tabName' | 'sql' | 'catalog' | 'database'>): Promise<EditorTab>
  newId(): string
  copyName(name: string): string
  /** The code of a failed call, 'Unavailable' for one that got no answer. */
  codeOf(error: unknown): string
}

/** Saved this long after the last key, or this long after the first one that is not saved: within a second. */
const QUIET_MS = 400
const LONGEST_MS = 900
const RETRY_FIRST_MS = 2_000
const RETRY_MAX_MS = 30_000
/** Trying again does not help, as when nobody is signed in yet; the journal still has the text. */
const HOPELESS = new Set([
  'LoginRequired',
  'NoPermission',
  'BadInput',
  'TooLarge',
  'LimitReached',
  'ReadOnly',
])

interface Pending {
  timer: TimerId
  /** When the oldest unsaved key was pressed; null: nothing is unsaved. */
  since: number | null
  inFlight: boolean
  /** Sent, and never answered: the server may have it. */
  unanswered: string | null
  failures: number
  /** The journal has what is on the screen. */
  isKept: boolean
  /** When its user deleted the tab here; null: never, or it is back. */
  deletedAt: number | null
}

/** Every key reaches the journal at once and the server within a second; conflicts are shown. */
export function createTextSaver(deps: SaverDeps) {
  const { store, journal, clock, save, load, create, codeOf } = deps
  const pending = new Map<string, Pending>()
  /** Samples that are written in, until their copies are on the screen. */
  const copies = new Map<string, string>()
  const copied = createEmitter<{ readonly tabId: string; readonly tabName: string }>()

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

  /** Of what the server does not have. */
  function heldAs({ tabId, sql }: Tab): SaveState {
    if (!pendingOf(tabId).isKept) return 'unkept'
    return sql.length > LIMITS.sqlLength ? 'tooLong' : 'local'
  }

  const isUnkept = ({ tabId, save: kept }: Tab): boolean =>
    kept !== 'saved' && pending.get(tabId)?.isKept === false

  /** Nothing of it is to be kept any more: the room is for what found none. */
  function forget(tabId: string): void {
    journal.drop(tabId)
    for (const tab of Object.values(store.api.getState().tabs).filter(isUnkept)) {
      record(tab.tabId)
      if (tab.save === 'unkept') store.setText(tab.tabId, { save: heldAs(tab) })
    }
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
   * The server has lost the tab, or it was deleted elsewhere: what is written here brings it back. One that came
   * back from the bin with another text than ours was made from is a conflict.
   */
  async function bringBack(tabId: string, earlier: string | null): Promise<void> {
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

  /** The server has `saved`; what was typed since then still has to follow. */
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
    if (code === 'Conflict') return compare(tabId, earlier)
    if (code === 'NotFound') return bringBack(tabId, earlier)
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

  /** Its user has it again: what was not saved before it was deleted is now. */
  function undelete(tabId: string): void {
    journal.setDeleted(tabId, null)
    const state = pending.get(tabId)
    if (!state || state.deletedAt === null) return
    state.deletedAt = null
    schedule(tabId, QUIET_MS)
  }

  /** The first key in a sample: everything goes on in a copy, which the page then shows. */
  function copySample(sample: Tab, sql: string): void {
    const copy = { tabId: deps.newId(), tabName: deps.copyName(sample.tabName), sql }
    copies.set(sample.tabId, copy.tabId)
    store.replace(copiedTab(sample, copy))
    record(copy.tabId)
    schedule(copy.tabId, QUIET_MS)
    copied.emit(copy)
  }

  return {
    /** A sample was written in: its copy is to be shown. */
    onCopied: copied.subscribe,

    /** The tab is on the screen. */
    shown(tabId: string): void {
      for (const [sample, copy] of copies) if (copy === tabId) copies.delete(sample)
    },

    /** Another window saved a newer text: an untouched one follows it. */
    follow(saved: EditorTab): void {
      const tab = store.tab(saved.tabId)
      if (!tab || tab.save !== 'saved' || tab.conflict || saved.revision <= tab.revision) return
      store.setText(saved.tabId, { sql: normaliseBreaks(saved.sql), revision: saved.revision })
    },

    /** True when this browser has a text of a tab that the server does not know: the tab is made again with it. */
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
      }
      store.open({ tabId, tabName, ...place, sql: entry.sql, revision: 0 }, { save: 'unsaved' })
      schedule(tabId, QUIET_MS)
      return true
    },

    /** Opens a tab with the text that is right for it. */
    open(saved: EditorTab): void {
      undelete(saved.tabId)
      if (store.tab(saved.tabId)) return store.open(saved, {})
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

    edit(shownId: string, sql: string): void {
      const tabId = copies.get(shownId) ?? shownId
      const tab = store.tab(tabId)
      if (!tab || tab.sql === sql) return
      if (tab.sample) return copySample(tab, sql)
      const state = pendingOf(tabId)
      const now = clock.now()
      state.since ??= now
      store.setText(tabId, { sql, save: tab.conflict ? tab.save : 'unsaved' })
      record(tabId)
      if (tab.conflict) return store.setText(tabId, { save: heldAs({ ...tab, sql }) })
      schedule(tabId, Math.max(0, Math.min(QUIET_MS, state.since + LONGEST_MS - now)))
    },

    /**
     * The user deletes these tabs here, or could not: what is unsaved in them neither brings them back by itself nor
     * stays longer than they can be taken out of the bin.
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

    /** Before the page goes away: what is not saved is sent now. */
    flush: async (): Promise<void> => {
      const unsaved = Object.values(store.api.getState().tabs).filter((tab) => tab.save === 'unsaved')
      await Promise.all(unsaved.map((tab) => push(tab.tabId)))
    },

    /** Some text would be lost with the page. */
    isAtRisk: (): boolean => Object.values(store.api.getState().tabs).some(isUnkept),

    /** Somebody is signed in again: what could not be saved without a login is sent now. */
    retry: async (): Promise<void> => {
      const local = Object.values(store.api.getState().tabs).filter(
        ({ save: kept }) => kept === 'local' || kept === 'unkept',
      )
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
      forget(tabId)
    },
  }
}

export type TextSaver = ReturnType<typeof createTextSaver>
