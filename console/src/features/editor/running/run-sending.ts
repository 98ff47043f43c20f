import type { RealtimeClient } from '@boathouse/client/realtime-client'
import { CHANNEL_TIMES } from '@boathouse/contract/limits'
import { QUERY_STATES } from '@boathouse/contract/realtime'
import { newNonce } from '@boathouse/contract/signature'
import { connectionOf } from '../tabs/editor-tab.ts'
import type { EditorStore } from '../tabs/editor-store.ts'
import { isRunning, type LocalFailure } from './run.ts'
import { onlyReads } from './only-reads.ts'
import type { ResultMemory } from './result-memory.ts'
import type { RememberedRun, RunMemory } from './run-memory.ts'
import { limitOf, preparationOf } from './session-preparation.ts'

export interface RunnerDeps {
  readonly store: EditorStore
  readonly realtime: Pick<RealtimeClient, 'submit' | 'setConnections' | 'on' | 'status' | 'forget'>
  readonly memory: RunMemory
  readonly results: ResultMemory
  /** Asks the server to end one statement; its final answer still comes over the channel. */
  kill(requestId: string): Promise<unknown>
  now(): number
}

type RunToSend = Pick<RememberedRun, 'requestId' | 'sql' | 'from' | 'values' | 'startTime'>

/** A query that is sent when the preparation of its connection has finished. */
interface Waiting {
  readonly run: RunToSend
  readonly preparedBy: string
  /** The row limit is compared once with the variables; the statement that sets it returns none. */
  readonly isLimited: boolean
}

interface Preparation {
  readonly run: RunToSend
  readonly sql: string
  readonly isLimited: boolean
  /** When its first part started: what the user chooses later is not in it. */
  readonly since: number
}

export interface GivenUp {
  readonly requestId: string
  readonly failure: LocalFailure
  readonly detail?: string
  readonly code?: number
}

/** Sends runs: at once, or when there is a connection, and after what prepares the connection. */
export function createRunSending({
  store,
  realtime,
  memory,
  now,
  giveUp,
}: Pick<RunnerDeps, 'store' | 'realtime' | 'memory' | 'now'> & {
  readonly giveUp: (tabId: string, ended: GivenUp) => void
}) {
  /** By tab. */
  const waiting = new Map<string, Waiting>()
  /** Not sent, as there is no connection; by tab. */
  const held = new Map<string, RunToSend>()

  function submit(tabId: string, run: Pick<RunToSend, 'requestId' | 'sql' | 'values'>): void {
    const { requestId, sql, values } = run
    const tab = store.tab(tabId)
    if (tab)
      realtime.submit({ ...connectionOf(tab), sql, channel: tabId, requestId, ...(values && { values }) })
  }

  /** Stored before it is sent, so that its result can always be requested. */
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

  /** A statement that changes something is sent automatically only shortly after the user ran it. */
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

  /** After each answer: the query that waited for a preparation is sent, or fails with it. */
  function sendPrepared(tabId: string): void {
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

  /** True when it had not been sent yet, and now is not any more. */
  function withdraw(tabId: string, requestId: string): boolean {
    if (held.delete(tabId)) return true
    return waiting.get(tabId)?.run.requestId === requestId && waiting.delete(tabId)
  }

  const releaseAll = (): void => {
    for (const [tabId, run] of held) release(tabId, run)
  }

  return { submit, begin, releaseAll, sendHeld, sendPrepared, withdraw }
}

export type RunSending = ReturnType<typeof createRunSending>
