import type { RealtimeClient } from '@boathouse/client/realtime-client'
import { CHANNEL_TIMES, LIMITS } from '@boathouse/contract/limits'
import { CONN_NEW, QUERY_STATES } from '@boathouse/contract/realtime'
import { newNonce } from '@boathouse/contract/signature'
import { connectionOf, runningRun } from '../tabs/editor-tab.ts'
import type { EditorStore } from '../tabs/editor-store.ts'
import { isRunning } from './run.ts'
import type { LocalFailure } from './run.ts'
import { onlyReads } from './only-reads.ts'
import type { ResultMemory } from './result-memory.ts'
import type { RememberedRun, RunMemory } from './run-memory.ts'
import type { RunTarget } from '../text/run-target.ts'
import { limitOf, preparationOf } from './session-preparation.ts'

export interface RunnerDeps {
  readonly store: EditorStore
  readonly realtime: Pick<RealtimeClient, 'submit' | 'setConnections' | 'on' | 'status' | 'forget'>
  readonly memory: RunMemory
  readonly results: ResultMemory
  /** EDITOR-66: asks the server to end one statement; its final answer still comes over the channel. */
  kill(requestId: string): Promise<unknown>
  now(): number
}

type RunToSend = Pick<RememberedRun, 'requestId' | 'sql' | 'from' | 'startTime'>

/** A query that is sent when what prepares its connection has finished. */
interface Waiting {
  readonly run: RunToSend
  readonly preparedBy: string
  /** Row limits are compared once, with what the variables say; what sets the limit answers none. */
  readonly isLimited: boolean
}

interface Preparation {
  readonly run: RunToSend
  readonly sql: string
  readonly isLimited: boolean
  /** When the first part of it began: what is chosen after that is not in it. */
  readonly since: number
}

interface GivenUp {
  readonly requestId: string
  readonly failure: LocalFailure
  readonly detail?: string
  readonly code?: number
}

/** Joins the tabs and the realtime channel: runs go out, answers come in. */
export function createQueryRunner({ store, realtime, memory, results, kill, now }: RunnerDeps) {
  /** By tab. */
  const waiting = new Map<string, Waiting>()
  /** Not sent, as there is no connection; by tab. */
  const held = new Map<string, RunToSend>()

  function submit(tabId: string, { requestId, sql }: Pick<RunToSend, 'requestId' | 'sql'>): void {
    const tab = store.tab(tabId)
    if (tab) realtime.submit({ ...connectionOf(tab), sql, channel: tabId, requestId })
  }

  /** Remembered before it leaves: whatever happens then, it can be asked for. */
  function sendRun(tabId: string, run: RunToSend): void {
    const tab = store.tab(tabId)
    if (!tab) return
    memory.keep(tabId, { ...run, ...connectionOf(tab), isSent: true })
    submit(tabId, run)
  }

  function begin(tabId: string, run: RunToSend): void {
    const tab = store.tab(tabId)
    if (!tab) return
    store.startRun(tabId, { ...run, visible: true, now: run.startTime })
    memory.keep(tabId, { ...run, ...connectionOf(tab), isSent: false })
    held.set(tabId, run)
    if (realtime.status() === 'open') release(tabId, run)
    else store.hold(tabId, run.requestId, 'offline')
  }

  /** What changes something is sent by itself only shortly after the user asked for it. */
  function release(tabId: string, run: RunToSend): void {
    const isFresh = now() - run.startTime <= CHANNEL_TIMES.resendWithinMs
    if (isFresh || onlyReads(run.sql)) return sendHeld(tabId)
    store.hold(tabId, run.requestId, 'ask')
  }

  function sendHeld(tabId: string): void {
    const tab = store.tab(tabId)
    const run = held.get(tabId)
    if (!tab || !run) return
    held.delete(tabId)
    store.hold(tabId, run.requestId, null)
    const preparation = preparationOf(tab)
    if (preparation === null) return sendRun(tabId, run)
    prepare(tabId, { run, sql: preparation, isLimited: false, since: now() })
  }

  function prepare(tabId: string, { run, sql, isLimited, since }: Preparation): void {
    const preparedBy = newNonce()
    waiting.set(tabId, { run, preparedBy, isLimited })
    store.startRun(tabId, { requestId: preparedBy, sql, from: 0, visible: false, now: since })
    submit(tabId, { requestId: preparedBy, sql })
  }

  function settle(tabId: string): void {
    const tab = store.tab(tabId)
    if (!tab || !runningRun(tab)) memory.forget(tabId)
  }

  /** A run that has ended can be shown again after a reload. */
  function remember(tabId: string, requestId: string): void {
    const run = store.tab(tabId)?.runs.find((one) => one.requestId === requestId)
    if (!run?.visible || isRunning(run) || run.endedBefore !== null) return
    const { sql, from, startTime, endTime } = run
    results.keep(tabId, { requestId, sql, from, startTime, endedAt: endTime ?? now() })
  }

  function giveUp(tabId: string, ended: GivenUp): void {
    store.giveUp(tabId, { detail: '', code: 0, ...ended, now: now() })
    settle(tabId)
  }

  /**
   * Under the same id the service runs nothing a second time: it answers how the query ended, or goes on telling
   * about it (CHANNEL-38).
   */
  function askAgain(tabId: string, requestId: string): void {
    const run = store.tab(tabId)?.runs.find((one) => one.requestId === requestId)
    if (!run) return
    store.asking(tabId, requestId)
    submit(tabId, run)
  }

  /** After each answer: the query that waited goes out, or fails with what it waited for. */
  function goOn(tabId: string): void {
    const next = waiting.get(tabId)
    const prepared = store.tab(tabId)?.runs.find(({ requestId }) => requestId === next?.preparedBy)
    if (!next || !prepared || isRunning(prepared)) return
    waiting.delete(tabId)
    if (prepared.state === QUERY_STATES.Finished) {
      const limit = next.isLimited ? null : limitOf(prepared, store.tab(tabId)?.rowLimit)
      if (limit === null) return sendRun(tabId, next.run)
      return prepare(tabId, { run: next.run, sql: limit, isLimited: true, since: prepared.startTime })
    }
    const failed = prepared.statements.find(({ state }) => state === QUERY_STATES.Failed)
    giveUp(tabId, {
      requestId: next.run.requestId,
      failure: prepared.failure ?? 'notPrepared',
      detail: failed?.errMsg ?? '',
      code: failed?.errCode ?? 0,
    })
  }

  /** A page that was left while its tab ran something: it goes on where it was. */
  function takeUp(tabId: string): void {
    const run = memory.recall(tabId, now())
    const tab = store.tab(tabId)
    if (!tab || tab.runs.length > 0) return
    if (!run) return restore(tabId)
    if (!run.isSent) return begin(tabId, run)
    store.startRun(tabId, { ...run, visible: true, now: run.startTime })
    store.asking(tabId, run.requestId)
    const { requestId, sql, connId, oriConnId } = run
    realtime.submit({ requestId, sql, connId, oriConnId, channel: tabId })
  }

  /** What a tab ran last, if its result is still kept: asked for under its own id, it is answered and not run. */
  function restore(tabId: string): void {
    const last = results.recall(tabId, now())
    if (!last) return
    const { requestId, sql, startTime } = last
    store.restoreRun(tabId, { ...last, visible: true, now: startTime })
    realtime.submit({ requestId, sql, connId: CONN_NEW, oriConnId: CONN_NEW, channel: tabId })
  }

  realtime.setConnections(() => Object.values(store.api.getState().tabs).map((tab) => tab.connId))
  const unsubscribers = [
    realtime.on('answer', (rsp) => {
      store.answer(rsp, now())
      goOn(rsp.channel)
      settle(rsp.channel)
      remember(rsp.channel, rsp.requestId)
    }),
    realtime.on('lostConnections', (connIds) => store.loseConnections(connIds)),
    realtime.on('status', (status) => {
      if (status !== 'open') return
      for (const [tabId, run] of held) release(tabId, run)
    }),
    realtime.on('dropped', ({ requestId, channel, reason }) => {
      if (reason === 'reset') return askAgain(channel, requestId)
      giveUp(channel, { requestId, failure: reason })
      goOn(channel)
    }),
    store.api.subscribe((state, before) => {
      for (const tabId of Object.keys(state.tabs)) if (!before.tabs[tabId]) takeUp(tabId)
    }),
  ]

  return {
    /** False when the tab runs something already: one run at a time, so that results keep their order. */
    run(tabId: string, { sql, from }: RunTarget): boolean {
      const tab = store.tab(tabId)
      if (!tab || runningRun(tab)) return false
      const run = { requestId: newNonce(), sql, from, startTime: now() }
      if (sql.length <= LIMITS.sqlLength) begin(tabId, run)
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
      if (held.delete(tabId)) return giveUp(tabId, { requestId: run.requestId, failure: 'notSent' })
      if (waiting.get(tabId)?.run.requestId === run.requestId) {
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

    /** The user wants it sent after all. */
    sendHeld(tabId: string): void {
      if (realtime.status() === 'open') sendHeld(tabId)
    },

    close: () => {
      for (const unsubscribe of unsubscribers) unsubscribe()
    },
  }
}

export type QueryRunner = ReturnType<typeof createQueryRunner>
