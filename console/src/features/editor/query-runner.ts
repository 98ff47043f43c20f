import { LIMITS, newNonce } from '@boathouse/contract'
import type { RealtimeClient } from '../../lib/realtime-client.ts'
import { connectionOf, runningRun } from './editor-tab.ts'
import type { EditorStore } from './editor-store.ts'
import type { RunTarget } from './run-target.ts'

export interface RunnerDeps {
  readonly store: EditorStore
  readonly realtime: Pick<RealtimeClient, 'submit' | 'setConnections' | 'on' | 'status' | 'forget'>
  /** EDITOR-66: asks the server to end one statement; its final answer still comes over the channel. */
  kill(requestId: string): Promise<unknown>
  now(): number
}

/** Joins the tabs and the realtime channel: runs go out, answers come in. */
export function createQueryRunner({ store, realtime, kill, now }: RunnerDeps) {
  realtime.setConnections(() => Object.values(store.api.getState().tabs).map((tab) => tab.connId))
  const unsubscribers = [
    realtime.on('answer', (rsp) => store.answer(rsp, now())),
    realtime.on('lostConnections', (connIds) => store.loseConnections(connIds)),
    realtime.on('dropped', ({ requestId, channel, reason }) =>
      store.giveUp(channel, { requestId, failure: reason, now: now() }),
    ),
  ]

  return {
    /** False when the tab runs something already: one run at a time, so that results keep their order. */
    run(tabId: string, { sql, from }: RunTarget): boolean {
      const tab = store.tab(tabId)
      if (!tab || runningRun(tab)) return false
      const requestId = newNonce()
      store.startRun(tabId, { requestId, sql, from, visible: true, now: now() })
      if (sql.length > LIMITS.sqlLength) store.giveUp(tabId, { requestId, failure: 'tooLong', now: now() })
      else realtime.submit({ ...connectionOf(tab), sql, channel: tabId, requestId })
      return true
    },

    /** The run stays 'Stopping…' until its final answer says how it ended. */
    async stop(tabId: string): Promise<void> {
      const tab = store.tab(tabId)
      const run = tab && runningRun(tab)
      if (!run || run.stopping) return
      store.stopping(tabId, run.requestId, true)
      try {
        await kill(run.requestId)
      } catch {
        // The call itself tells the user what went wrong; this only decides what becomes of the run.
        const offline = realtime.status() !== 'open' && realtime.forget(run.requestId)
        if (offline) store.giveUp(tabId, { requestId: run.requestId, failure: 'stoppedOffline', now: now() })
        else store.stopping(tabId, run.requestId, false)
      }
    },

    close: () => {
      for (const unsubscribe of unsubscribers) unsubscribe()
    },
  }
}

export type QueryRunner = ReturnType<typeof createQueryRunner>
