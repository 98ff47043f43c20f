import { CODES } from '@boathouse/contract/codes'
import type { EditorTab, ResultLook } from '@boathouse/contract/editor'
import type { QueryAccess } from '@boathouse/contract/editor-shares'
import { LIMITS, NO_SELECT_LIMIT } from '@boathouse/contract/limits'
import { CONN_LOST, CONN_NEW, QUERY_STATES, type QueryRsp } from '@boathouse/contract/realtime'
import type { Parameter } from '@boathouse/contract/parameters'
import { kindOf } from '@boathouse/sql'
import type { Place } from './place.ts'
import { answerRun, askRun, failRun, isFinal, isRunning, newRun } from '../running/run.ts'
import type { Held, Run, RunEnd, RunStart } from '../running/run.ts'

/**
 * Where the text is kept. 'local' means in this browser only, because the server could not be reached; 'tooLong' the
 * same, because the server does not take so long a text; 'unkept' nowhere but on the screen.
 */
export type SaveState = 'saved' | 'unsaved' | 'saving' | 'local' | 'tooLong' | 'unkept'

/** The text on the server, when it is neither ours nor what ours was made from. */
export interface SavedText {
  readonly sql: string
  readonly revision: number
}

/** When the user last chose each of them by a menu, in milliseconds since the epoch; 0: never. */
interface ChosenAt {
  readonly place: number
  readonly warehouse: number
  readonly limit: number
}

/** A tab, its connection and what it ran belong together. */
export interface Tab {
  readonly tabId: string
  readonly tabName: string
  readonly parentFolderName: string
  readonly catalog: string
  readonly database: string
  /** Empty until a statement chose one: the account's default is used. */
  readonly warehouse: string
  /** Rows that a SELECT computes, or `none`; empty: as many as at the beginning. */
  readonly rowLimit: string
  /** It cannot be changed: an edit makes a copy. */
  readonly sample: boolean
  /** `own`, unless it is a query of somebody else. */
  readonly access: QueryAccess
  /** The name of the user whose query it is. */
  readonly owner: string
  /** How its rows are drawn; null: they never were. */
  readonly chart: ResultLook | null
  /** What is known of its parameters, with their values. */
  readonly parameters: readonly Parameter[]
  readonly sql: string
  /** Of the saved text that `sql` was made from; 0: the server has none yet. */
  readonly revision: number
  readonly save: SaveState
  readonly conflict: SavedText | null
  readonly connId: number
  /** The connection before the present one; its state moves over. */
  readonly oriConnId: number
  readonly insId: string
  /** The connection has the place of the tab. */
  readonly isPrepared: boolean
  /** Of the connection, as it last reported them, by name. */
  readonly variables: Readonly<Record<string, string>>
  /** How often a connection of this tab was lost. */
  readonly reconnections: number
  readonly chosenAt: ChosenAt
  readonly runs: readonly Run[]
  /** The statement whose result is shown; null follows the run. */
  readonly chosenStatement: number | null
}

/** The editor counts lines by LF alone, so positions must be those of a text with LF alone. */
export const normaliseBreaks = (text: string): string => text.replaceAll(/\r\n?/g, '\n')

export const openedTab = (saved: EditorTab): Tab => ({
  tabId: saved.tabId,
  tabName: saved.tabName,
  parentFolderName: saved.parentFolderName,
  catalog: saved.catalog,
  database: saved.database,
  warehouse: '',
  rowLimit: '',
  sample: saved.sample,
  access: saved.access,
  owner: saved.owner,
  chart: saved.chart,
  parameters: saved.parameters,
  sql: normaliseBreaks(saved.sql),
  revision: saved.revision,
  save: 'saved',
  conflict: null,
  connId: CONN_NEW,
  oriConnId: CONN_NEW,
  insId: '',
  isPrepared: false,
  variables: {},
  reconnections: 0,
  chosenAt: { place: 0, warehouse: 0, limit: 0 },
  runs: [],
  chosenStatement: null,
})

/** A sample with something written into it, or a query of others: one's own, with what was run last beside it. */
export const copiedTab = (sample: Tab, copy: Pick<Tab, 'tabId' | 'tabName' | 'sql'>): Tab => ({
  ...sample,
  ...copy,
  sample: false,
  access: 'own',
  owner: '',
  revision: 0,
  save: 'unsaved',
  conflict: null,
  connId: CONN_NEW,
  oriConnId: CONN_NEW,
  isPrepared: false,
  runs: sample.runs.filter((run) => !isRunning(run)),
})

/** A query of others that the user may only look at, or run. */
export const isReadOnly = ({ access }: Pick<Tab, 'access'>): boolean => access === 'see' || access === 'run'

/** What the user waits for; what the console runs beside it does not count. */
export const runningRun = (tab: Tab): Run | undefined =>
  tab.runs.find((run) => run.visible && run.endedBefore === null && isRunning(run))

/** The run whose results are on the screen. */
export const shownRun = (tab: Tab): Run | undefined => tab.runs.findLast((run) => run.visible)

const hasAnswered = (run: Run): boolean => run.statements.some(({ state }) => isFinal(state))

/** What was shown before the run that is shown, as long as that has answered nothing. */
export function runBefore(tab: Tab): Run | undefined {
  const shown = shownRun(tab)
  if (!shown || !isRunning(shown) || shown.endedBefore !== null || hasAnswered(shown)) return undefined
  return tab.runs.findLast((run) => run.visible && run !== shown && !isRunning(run))
}

/** Runs that are over make room, so that results do not pile up in memory; the last one stays until there is another. */
export function startRun(tab: Tab, start: RunStart): Tab {
  const last = tab.runs.findLast((run) => run.visible && !isRunning(run))
  return {
    ...tab,
    runs: [...tab.runs.filter((run) => isRunning(run) || run === last), newRun(start)],
    chosenStatement: start.visible ? null : tab.chosenStatement,
  }
}

/** There is something newer to show. */
function withoutBefore(tab: Tab): Tab {
  const shown = shownRun(tab)
  if (!shown || (isRunning(shown) && !hasAnswered(shown))) return tab
  const runs = tab.runs.filter((run) => !run.visible || run === shown || isRunning(run))
  return runs.length === tab.runs.length ? tab : { ...tab, runs }
}

const withRun = (tab: Tab, requestId: string, change: (run: Run) => Run): Tab => ({
  ...tab,
  runs: tab.runs.map((run) => (run.requestId === requestId ? change(run) : run)),
})

/** -1 is a lost connection; the next query asks for a new one and names the old one. */
export const loseConnection = (tab: Tab): Tab =>
  tab.connId > CONN_NEW
    ? {
        ...tab,
        connId: CONN_LOST,
        oriConnId: tab.connId,
        isPrepared: false,
        reconnections: tab.reconnections + 1,
      }
    : tab

/** The place of a connection: it survives a reload of the page. */
export interface SessionPlace {
  readonly connId: number
  readonly catalog: string
  readonly database: string
  readonly warehouse: string
  readonly rowLimit: string
}

const chosen = ({ chosenAt }: Tab, at: Partial<ChosenAt>): Pick<Tab, 'isPrepared' | 'chosenAt'> => ({
  isPrepared: false,
  chosenAt: { ...chosenAt, ...at },
})

/** The tab has the place at once; its connection follows before the next query. */
export const choosePlace = (tab: Tab, { catalog, database }: Place, now: number): Tab =>
  catalog === tab.catalog && database === tab.database
    ? tab
    : { ...tab, catalog, database, ...chosen(tab, { place: now }) }

/** Before the next query; what runs already keeps what it was started with. */
export const chooseWarehouse = (tab: Tab, warehouse: string, now: number): Tab =>
  tab.warehouse === warehouse ? tab : { ...tab, warehouse, ...chosen(tab, { warehouse: now }) }

export const chooseLimit = (tab: Tab, rowLimit: string, now: number): Tab =>
  tab.rowLimit === rowLimit ? tab : { ...tab, rowLimit, ...chosen(tab, { limit: now }) }

/** A new connection that takes over the state of an earlier one of the same tab. */
export const resumeConnection = (tab: Tab, { connId, ...place }: SessionPlace): Tab => ({
  ...tab,
  ...place,
  oriConnId: connId,
})

/** What the next query of this tab names as its connection. */
export const connectionOf = (tab: Tab): { connId: number; oriConnId: number } => ({
  connId: tab.connId === CONN_LOST ? CONN_NEW : tab.connId,
  oriConnId: tab.oriConnId,
})

function takeConnection(tab: Tab, rsp: QueryRsp): Tab {
  if (rsp.connId <= CONN_NEW) return tab
  return { ...tab, connId: rsp.connId, oriConnId: rsp.connId, insId: rsp.insId || tab.insId }
}

/**
 * What a tab remembers of its session. Every answer names the place of its session, so a tab also learns where its
 * connection started. The place of a run is not what the user has chosen since; the connection is brought there before
 * the next query.
 */
function takePlace(tab: Tab, rsp: QueryRsp, { startTime }: Run): Tab {
  const { chosenAt } = tab
  const keepsPlace = startTime < chosenAt.place
  const keepsWarehouse = startTime < chosenAt.warehouse
  return {
    ...tab,
    ...(!keepsPlace && {
      catalog: rsp.catalogChange ? rsp.catalog : rsp.catalog || tab.catalog,
      database: rsp.catalogChange || rsp.dbChange ? rsp.db : rsp.db || tab.database,
    }),
    ...(!keepsWarehouse && {
      warehouse: rsp.warehouseChange ? rsp.warehouse : rsp.warehouse || tab.warehouse,
    }),
    isPrepared: tab.isPrepared || startTime >= Math.max(...Object.values(chosenAt)),
  }
}

function connectedBy(tab: Tab, rsp: QueryRsp, run: Run): Tab {
  if (rsp.errCode === CODES.ConnectionLost.code) return loseConnection(tab)
  const connected = takeConnection(tab, rsp)
  if (run.visible) return takePlace(connected, rsp, run)
  // On its way to the tab's place a connection is not there yet. Where that place does not exist, it stays where it
  // is and the tab follows; where it cannot be reached for now, the next run tries again.
  const isThere = run.state === QUERY_STATES.Finished || rsp.errCode === CODES.QueryFailed.code
  return isThere ? takePlace(connected, rsp, run) : connected
}

/** SHOW VARIABLES answers all of them, SET tells nothing, so that they are known as they last were. */
function takeVariables(tab: Tab, { statements }: Run, { statementIndex }: QueryRsp): Tab {
  const shown = statements.find(({ index }) => index === statementIndex)
  if (!shown || shown.rows.length === 0 || kindOf(shown.sql) !== 'show-variables') return tab
  const variables = Object.fromEntries(shown.rows.map(([name, value]) => [name ?? '', value ?? '']))
  return { ...tab, variables: { ...tab.variables, ...variables } }
}

/** What the user sets in the text is what the picker shows. */
function takeLimit(tab: Tab, { statements, visible, startTime }: Run, { statementIndex }: QueryRsp): Tab {
  const set = statements.find(({ index }) => index === statementIndex)
  const isSet = visible && set?.state === QUERY_STATES.Finished && kindOf(set.sql) === 'set-sql-select-limit'
  if (!isSet || startTime < tab.chosenAt.limit) return tab
  const value = /sql_select_limit\s*(?:=|to\b)\s*'?(\w+)/i.exec(set.sql)?.[1]?.toLowerCase() ?? ''
  if (value === 'default' || value === String(LIMITS.selectRows)) return { ...tab, rowLimit: '' }
  return { ...tab, rowLimit: value === NO_SELECT_LIMIT ? 'none' : value }
}

export function answerTab(tab: Tab, rsp: QueryRsp, now: number): Tab {
  const run = tab.runs.find(({ requestId }) => requestId === rsp.requestId)
  if (!run) return tab
  const answered = answerRun(run, rsp, now)
  if (answered === run) return tab
  const answeredTab = withoutBefore(withRun(tab, run.requestId, () => answered))
  // What was answered before the page was loaded says nothing about the connection of now.
  if (run.endedBefore !== null) return answeredTab
  return takeLimit(takeVariables(connectedBy(answeredTab, rsp, answered), answered, rsp), answered, rsp)
}

export const markStopping = (tab: Tab, requestId: string, stopping: boolean): Tab =>
  withRun(tab, requestId, (run) => (isRunning(run) ? { ...run, stopping } : run))

export const markAsking = (tab: Tab, requestId: string): Tab => withRun(tab, requestId, askRun)

/** Requested under its own id, which runs nothing a second time. */
export const restoreRun = (tab: Tab, ended: RunStart & { readonly endedAt: number }): Tab => ({
  ...tab,
  runs: [...tab.runs, { ...askRun(newRun(ended)), endedBefore: ended.endedAt }],
})

export const markHeld = (tab: Tab, requestId: string, held: Held | null): Tab =>
  withRun(tab, requestId, (run) => ({ ...run, held }))

export const giveUpRun = (tab: Tab, ended: RunEnd & { requestId: string }): Tab =>
  withoutBefore(withRun(tab, ended.requestId, (run) => failRun(run, ended)))
