import type { EditorTab, ResultLook } from '@boathouse/contract/editor'
import type { QueryAccess } from '@boathouse/contract/editor-shares'
import type { Parameter } from '@boathouse/contract/parameters'
import type { QueryRsp } from '@boathouse/contract/realtime'
import { DEFAULT_CATALOG } from '@boathouse/contract/schema'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import type { StoreApi } from 'zustand/vanilla'
import type { CellRange } from '../../../ui/grid/grid-selection.ts'
import type { SelectionSummary } from '../rows/selection-summary.ts'
import * as tabs from './editor-tab.ts'
import type { SavedText, SaveState, Tab } from './editor-tab.ts'
import { catalogId } from './place.ts'
import type { Place } from './place.ts'
import type { Held, RunEnd, RunStart } from '../running/run.ts'

export interface EditorState {
  /** By tab id: text, connection, runs and results of a tab are never mixed with another's. */
  readonly tabs: Readonly<Record<string, Tab>>
  readonly activeTabId: string | null
  readonly cursor: Cursor
  /** More than one cell of the result on the screen; null: no such selection. */
  readonly selection: SelectedCells | null
  /** Rows of the tree of catalogs, by their ids. */
  readonly openRows: ReadonlySet<string>
}

interface SelectedCells {
  readonly range: CellRange
  /** Null while not all of it is here. */
  readonly summary: SelectionSummary | null
}

/** Of the editor on the screen; line and column count from 1. */
interface Cursor {
  readonly line: number
  readonly column: number
  /** Characters in the selection. */
  readonly selected: number
}

interface TextChange {
  readonly sql?: string
  readonly revision?: number
  readonly save?: SaveState
  readonly conflict?: SavedText | null
  readonly access?: QueryAccess
}

/** The one place where work in the editor lives (the server's own lists stay in the query cache). */
export interface EditorStore {
  readonly api: StoreApi<EditorState>
  tab(tabId: string): Tab | undefined
  /** A tab that is open already keeps its connection, runs and results. */
  open(saved: EditorTab, text: TextChange): void
  replace(tab: Tab): void
  rename(tabId: string, tabName: string): void
  /** A run that has ended before this page was loaded, marked with when it did. */
  restoreRun(tabId: string, ended: RunStart & { readonly endedAt: number }): void
  activate(tabId: string): void
  setText(tabId: string, change: TextChange): void
  startRun(tabId: string, start: RunStart): void
  answer(rsp: QueryRsp, now: number): void
  stopping(tabId: string, requestId: string, stopping: boolean): void
  /** The outcome of a run is requested, because nothing was heard of it for too long. */
  asking(tabId: string, requestId: string): void
  giveUp(tabId: string, ended: RunEnd & { requestId: string }): void
  /** These are gone; their tabs ask for new ones with their next query. */
  loseConnections(connIds: readonly number[]): void
  chooseStatement(tabId: string, index: number): void
  moveCursor(cursor: Cursor): void
  select(selection: SelectedCells | null): void
  choosePlace(tabId: string, place: Place, now: number): void
  chooseWarehouse(tabId: string, warehouse: string, now: number): void
  /** Before the next query. */
  chooseLimit(tabId: string, rowLimit: string, now: number): void
  draw(tabId: string, chart: ResultLook): void
  describe(tabId: string, parameters: readonly Parameter[]): void
  hold(tabId: string, requestId: string, held: Held | null): void
  openRows(ids: readonly string[]): void
  toggleRow(id: string): void
  /** Another user works here now, and must not see what this one left. */
  clear(): void
}

const EMPTY: EditorState = {
  tabs: {},
  activeTabId: null,
  cursor: { line: 1, column: 1, selected: 0 },
  selection: null,
  openRows: new Set([catalogId(DEFAULT_CATALOG)]),
}

export function createEditorStore(): EditorStore {
  const api = createStore<EditorState>(() => EMPTY)
  const tab = (tabId: string): Tab | undefined => api.getState().tabs[tabId]
  const put = (next: Tab) => api.setState((state) => ({ tabs: { ...state.tabs, [next.tabId]: next } }))
  const change = (tabId: string, reduce: (tab: Tab) => Tab) => {
    const before = tab(tabId)
    if (!before) return
    const after = reduce(before)
    if (after !== before) put(after)
  }

  return {
    api,
    tab,
    open: (saved, text) =>
      put({ ...(tab(saved.tabId) ?? tabs.openedTab(saved)), tabName: saved.tabName, ...text }),
    replace: put,
    rename: (tabId, tabName) => change(tabId, (before) => ({ ...before, tabName })),
    restoreRun: (tabId, ended) => change(tabId, (before) => tabs.restoreRun(before, ended)),
    activate: (tabId) => api.setState({ activeTabId: tabId }),
    setText: (tabId, text) => change(tabId, (before) => ({ ...before, ...text })),
    startRun: (tabId, start) => change(tabId, (before) => tabs.startRun(before, start)),
    answer: (rsp, now) => change(rsp.channel, (before) => tabs.answerTab(before, rsp, now)),
    stopping: (tabId, requestId, stopping) =>
      change(tabId, (before) => tabs.markStopping(before, requestId, stopping)),
    asking: (tabId, requestId) => change(tabId, (before) => tabs.markAsking(before, requestId)),
    giveUp: (tabId, ended) => change(tabId, (before) => tabs.giveUpRun(before, ended)),
    loseConnections(connIds) {
      for (const open of Object.values(api.getState().tabs))
        if (connIds.includes(open.connId)) change(open.tabId, tabs.loseConnection)
    },
    chooseStatement: (tabId, index) => change(tabId, (before) => ({ ...before, chosenStatement: index })),
    moveCursor: (cursor) => api.setState({ cursor }),
    select: (selection) => {
      if (selection !== api.getState().selection) api.setState({ selection })
    },
    choosePlace: (tabId, place, now) => change(tabId, (before) => tabs.choosePlace(before, place, now)),
    chooseWarehouse: (tabId, warehouse, now) =>
      change(tabId, (before) => tabs.chooseWarehouse(before, warehouse, now)),
    chooseLimit: (tabId, rowLimit, now) => change(tabId, (before) => tabs.chooseLimit(before, rowLimit, now)),
    draw: (tabId, chart) => change(tabId, (before) => ({ ...before, chart })),
    describe: (tabId, parameters) => change(tabId, (before) => ({ ...before, parameters })),
    hold: (tabId, requestId, held) => change(tabId, (before) => tabs.markHeld(before, requestId, held)),
    openRows(ids) {
      const { openRows } = api.getState()
      if (ids.some((id) => !openRows.has(id))) api.setState({ openRows: new Set([...openRows, ...ids]) })
    },
    toggleRow(id) {
      const openRows = new Set(api.getState().openRows)
      if (!openRows.delete(id)) openRows.add(id)
      api.setState({ openRows })
    },
    clear: () => api.setState(EMPTY),
  }
}

export const useEditorState = <T>(store: EditorStore, select: (state: EditorState) => T): T =>
  useStore(store.api, select)
