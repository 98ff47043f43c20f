import { LIMITS, newNonce, QUERY_STATES } from '@boathouse/contract'
import type { RealtimeClient } from '../../lib/realtime-client.ts'
import { connectionOf, runningRun } from './editor-tab.ts'
import type { EditorStore } from './editor-store.ts'
import { isRunning } from './run.ts'
import type { LocalFailure } from './run.ts'
import type { RunTarget } from './run-target.ts'
import { preparationOf } from './session-preparation.ts'

export interface RunnerDeps {
  readonly store: EditorStore
  readonly realtime: Pick<RealtimeClient, 'submit' | 'setConnections' | 'on' | 'status' | 'forget'>
  /** EDITOR-66: asks the server to end one statement; its final answer still comes over the channel. */
  kill(requestId: string): Promise<unknown>
  now(): number
}

/** A query that is sent when what prepares its connection has finished. */
interface Waiting {
  readonly requestId: string
  readonly sql: string
  readonly preparedBy: string
}

/** Joins the tabs and the realtime channel: runs go out, answers come in. */
export function createQueryRunner({ store, realtime, kill, now }: RunnerDeps) {
  /** By tab. */
  const waiting = new Map<string, Waiting>()

  function submit(tabId: string, { requestId, sql }: { requestId: string; sql: string }): void {
    const tab = store.tab(tabId)
    if (tab) realtime.submit({ ...connectionOf(tab), sql, channel: tabId, requestId })
  }

  function giveUp(tabId: string, ended: { requestId: string; failure: LocalFailure; detail?: string }): void {
    store.giveUp(tabId, { detail: '', ...ended, now: now() })
  }

  /** After each answer: the query that waited goes out, or fails with what it waited for. */
  function goOn(tabId: string): void {
    const next = waiting.get(tabId)
    const prepared = store.tab(tabId)?.runs.find(({ requestId }) => requestId === next?.preparedBy)
    if (!next || !prepared || isRunning(prepared)) return
    waiting.delete(tabId)
    if (prepared.state === QUERY_STATES.Finished) return submit(tabId, next)
    const failed = prepared.statements.find(({ state }) => state === QUERY_STATES.Failed)
    giveUp(tabId, {
      requestId: next.requestId,
      failure: prepared.failure ?? 'notPrepared',
      detail: failed?.errMsg ?? '',
    })
  }

  realtime.setConnections(() => Object.values(store.api.getState().tabs).map((tab) => tab.connId))
  const unsubscribers = [
    realtime.on('answer', (rsp) => {
      store.answer(rsp, now())
      goOn(rsp.channel)
    }),
    realtime.on('lostConnections', (connIds) => store.loseConnections(connIds)),
    realtime.on('dropped', ({ requestId, channel, reason }) => {
      giveUp(channel, { requestId, failure: reason })
      goOn(channel)
    }),
  ]

  return {
    /** False when the tab runs something already: one run at a time, so that results keep their order. */
    run(tabId: string, { sql, from }: RunTarget): boolean {
      const tab = store.tab(tabId)
      if (!tab || runningRun(tab)) return false
      const requestId = newNonce()
      store.startRun(tabId, { requestId, sql, from, visible: true, now: now() })
      if (sql.length > LIMITS.sqlLength) {
        giveUp(tabId, { requestId, failure: 'tooLong' })
        return true
      }
      const preparation = preparationOf(tab)
      if (preparation === null) {
        submit(tabId, { requestId, sql })
        return true
      }
      const preparedBy = newNonce()
      waiting.set(tabId, { requestId, sql, preparedBy })
      store.startRun(tabId, { requestId: preparedBy, sql: preparation, from: 0, visible: false, now: now() })
      submit(tabId, { requestId: preparedBy, sql: preparation })
      return true
    },

    /** The run stays 'Stopping…' until its final answer says how it ended. */
    async stop(tabId: string): Promise<void> {
      const tab = store.tab(tabId)
      const run = tab && runningRun(tab)
      if (!run || run.stopping) return
      if (waiting.get(tabId)?.requestId === run.requestId) {
        waiting.delete(tabId)
        return giveUp(tabId, { requestId: run.requestId, failure: 'notSent' })
      }
      store.stopping(tabId, run.requestId, true)
      try {
        await kill(run.requestId)
      } catch {
        // The call itself tells the user what went wrong; this only decides what becomes of the run.
        const offline = realtime.status() !== 'open' && realtime.forget(run.requestId)
        if (offline) giveUp(tabId, { requestId: run.requestId, failure: 'stoppedOffline' })
        else store.stopping(tabId, run.requestId, false)
      }
    },

    close: () => {
      for (const unsubscribe of unsubscribers) unsubscribe()
    },
  }
}

export type QueryRunner = ReturnType<typeof createQueryRunner>
