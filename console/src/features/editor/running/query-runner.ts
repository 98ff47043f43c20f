import { LIMITS } from '@boathouse/contract/limits'
import { newNonce } from '@boathouse/contract/signature'
import { runningRun } from '../tabs/editor-tab.ts'
import type { RunTarget } from '../text/run-target.ts'
import { isRunning } from './run.ts'
import { type RunnerDeps, type GivenUp, createRunSending } from './run-sending.ts'
import { createRunRestoring } from './run-restoring.ts'

/** Joins the tabs and the realtime channel: runs go out, answers come in. */
export function createQueryRunner(deps: RunnerDeps) {
  const { store, realtime, memory, results, kill, now } = deps

  function settle(tabId: string): void {
    const tab = store.tab(tabId)
    if (!tab || !runningRun(tab)) memory.forget(tabId)
  }

  /** A run that has ended can be shown again after a reload. */
  function remember(tabId: string, requestId: string): void {
    const run = store.tab(tabId)?.runs.find((one) => one.requestId === requestId)
    if (!run?.visible || isRunning(run) || run.endedBefore !== null) return
    const { sql, from, values, startTime, endTime } = run
    results.keep(tabId, {
      requestId,
      sql,
      from,
      ...(values && { values }),
      startTime,
      endedAt: endTime ?? now(),
    })
  }

  function giveUp(tabId: string, ended: GivenUp): void {
    store.giveUp(tabId, { detail: '', code: 0, ...ended, now: now() })
    settle(tabId)
  }

  const sending = createRunSending({ store, realtime, memory, now, giveUp })
  const restoring = createRunRestoring(deps, sending)

  realtime.setConnections(() => Object.values(store.api.getState().tabs).map((tab) => tab.connId))
  const unsubscribers = [
    realtime.on('answer', (rsp) => {
      store.answer(rsp, now())
      sending.sendPrepared(rsp.channel)
      settle(rsp.channel)
      remember(rsp.channel, rsp.requestId)
    }),
    realtime.on('lostConnections', (connIds) => store.loseConnections(connIds)),
    realtime.on('status', (status) => {
      if (status !== 'open') return
      sending.releaseAll()
    }),
    realtime.on('dropped', ({ requestId, channel, reason }) => {
      if (reason === 'reset') return restoring.askAgain(channel, requestId)
      giveUp(channel, { requestId, failure: reason })
      sending.sendPrepared(channel)
    }),
    store.api.subscribe((state, before) => {
      for (const tabId of Object.keys(state.tabs)) if (!before.tabs[tabId]) restoring.takeUp(tabId)
    }),
  ]

  return {
    /** False when the tab runs something already: one run at a time, so that results keep their order. */
    run(tabId: string, { sql, from, values }: RunTarget): boolean {
      const tab = store.tab(tabId)
      if (!tab || runningRun(tab)) return false
      const run = { requestId: newNonce(), sql, from, ...(values && { values }), startTime: now() }
      if (sql.length <= LIMITS.sqlLength) sending.begin(tabId, run)
      else {
        store.startRun(tabId, { ...run, visible: true, now: run.startTime })
        giveUp(tabId, { requestId: run.requestId, failure: 'tooLong' })
      }
      return true
    },

    /** The run stays 'Stopping…' until its final answer says how it ended. */
    async stop(tabId: string): Promise<void> {
      const tab = store.tab(tabId)
      const run = tab && runningRun(tab)
      if (!run || run.stopping) return
      if (sending.withdraw(tabId, run.requestId))
        return giveUp(tabId, { requestId: run.requestId, failure: 'notSent' })
      store.stopping(tabId, run.requestId, true)
      try {
        await kill(run.requestId)
      } catch {
        // The call itself shows the user what went wrong; this only decides on the run.
        const offline = realtime.status() !== 'open' && realtime.forget(run.requestId)
        if (offline) giveUp(tabId, { requestId: run.requestId, failure: 'stoppedOffline' })
        else store.stopping(tabId, run.requestId, false)
      }
    },

    /** The user wants it sent after all. */
    sendHeld(tabId: string): void {
      if (realtime.status() === 'open') sending.sendHeld(tabId)
    },

    close: () => {
      for (const unsubscribe of unsubscribers) unsubscribe()
    },
  }
}

export type QueryRunner = ReturnType<typeof createQueryRunner>
