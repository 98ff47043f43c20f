import { CONN_NEW } from '@boathouse/contract/realtime'
import type { RunnerDeps, RunSending } from './run-sending.ts'

/** Continues the runs of a page that was left or has lost its connection. */
export function createRunRestoring(
  { store, realtime, memory, results, now }: RunnerDeps,
  { submit, begin }: Pick<RunSending, 'submit' | 'begin'>,
) {
  /** Under the same id the service runs nothing a second time: it answers how the query ended, or keeps reporting on it. */
  function askAgain(tabId: string, requestId: string): void {
    const run = store.tab(tabId)?.runs.find((one) => one.requestId === requestId)
    if (!run) return
    store.asking(tabId, requestId)
    submit(tabId, run)
  }

  /** The page was left while its tab ran something: the run continues. */
  function takeUp(tabId: string): void {
    const run = memory.recall(tabId, now())
    const tab = store.tab(tabId)
    if (!tab || tab.runs.length > 0) return
    if (!run) return restore(tabId)
    if (!run.isSent) return begin(tabId, run)
    store.startRun(tabId, { ...run, visible: true, now: run.startTime })
    store.asking(tabId, run.requestId)
    const { requestId, sql, values, connId, oriConnId } = run
    realtime.submit({ requestId, sql, connId, oriConnId, channel: tabId, ...(values && { values }) })
  }

  /** The last run of a tab, if its result is still kept: requested under its own id, it is answered and not run again. */
  function restore(tabId: string): void {
    const last = results.recall(tabId, now())
    if (!last) return
    const { requestId, sql, values, startTime } = last
    store.restoreRun(tabId, { ...last, visible: true, now: startTime })
    const anywhere = { connId: CONN_NEW, oriConnId: CONN_NEW }
    realtime.submit({ requestId, sql, ...anywhere, channel: tabId, ...(values && { values }) })
  }

  return { askAgain, takeUp }
}
