import { CONN_NEW, QUERY_STATES, type QueryRsp } from '@boathouse/contract/realtime'
import type { BoundValues } from '@boathouse/contract/parameters'
import { newNonce } from '@boathouse/contract/signature'
import type { RealtimeClient } from './realtime-client.ts'
import type { DropReason } from './realtime-events.ts'

/** What a failed statement rejects with; `answer` has its code, its kind and its place in the text. */
export class StatementError extends Error {
  override readonly name = 'StatementError'
  readonly answer: QueryRsp

  constructor(answer: QueryRsp) {
    super(answer.errMsg)
    this.answer = answer
  }
}

/** The channel gave a request up. Asked again under the same `requestId`, it runs at most once all the same. */
export class DroppedError extends Error {
  override readonly name = 'DroppedError'
  readonly requestId: string
  readonly reason: DropReason

  constructor(requestId: string, reason: DropReason, message: string) {
    super(message || `The request ${requestId} was dropped by the realtime channel (${reason}).`)
    this.requestId = requestId
    this.reason = reason
  }
}

export interface AskOptions {
  /** The identity of the request: asked twice, it runs once. A new one unless given. */
  readonly requestId?: string
  /** For the parameters of the text. */
  readonly values?: BoundValues | undefined
  /** Stops waiting for the answer; the statement keeps running. */
  readonly signal?: AbortSignal
  /** Called with what is said of a statement before its end. */
  readonly onRunning?: ((answer: QueryRsp) => void) | undefined
}

export interface Session {
  /** The connection that it has now; 0 when it has none. */
  connId(): number
  /** The end of every statement in the text, whatever it says. One text runs after the other. */
  ask(sql: string, options?: AskOptions): Promise<QueryRsp[]>
  /** The answer of the last statement; rejects with a StatementError when one fails. */
  run(sql: string): Promise<QueryRsp>
  /** The next text gets a new connection with the place of this one. */
  leaveConnection(): void
  /** Ends the connection, and whatever it may still hold open. */
  abandonConnection(): void
  /** The same, and no text will follow. */
  end(): void
}

const isEnd = ({ queryState }: QueryRsp): boolean =>
  queryState === QUERY_STATES.Finished || queryState === QUERY_STATES.Failed

/** A place to run statements, as a tab of the console is: it keeps its connection through cuts and crashes. */
export function createSession(client: RealtimeClient, name: string): Session {
  let connId: number = CONN_NEW
  let oriConnId: number = CONN_NEW
  let before: Promise<unknown> = Promise.resolve()

  const stopListening = client.on('lostConnections', (ids) => {
    if (ids.includes(connId)) leaveConnection()
  })

  function leaveConnection(): void {
    oriConnId = connId
    connId = CONN_NEW
  }

  function follow(answer: QueryRsp): void {
    if (answer.connId > CONN_NEW) connId = oriConnId = answer.connId
    else if (answer.connId !== CONN_NEW) leaveConnection()
  }

  async function askNow(sql: string, requestId: string, options: AskOptions): Promise<QueryRsp[]> {
    const { signal, onRunning, values } = options
    signal?.throwIfAborted()
    const ends = new Map<number, QueryRsp>()
    const stops: (() => void)[] = []
    const heard = new Promise<QueryRsp[]>((resolve, reject) => {
      const giveUp = () => reject(signal?.reason)
      signal?.addEventListener('abort', giveUp)
      stops.push(
        () => signal?.removeEventListener('abort', giveUp),
        client.on('dropped', (dropped) => {
          if (dropped.requestId === requestId)
            reject(new DroppedError(requestId, dropped.reason, dropped.message))
        }),
        client.on('answer', (answer) => {
          if (answer.requestId !== requestId) return
          if (!isEnd(answer)) return onRunning?.(answer)
          follow(answer)
          ends.set(answer.statementIndex, answer)
          // Without a query id the request was refused as a whole.
          if (answer.queryId === '' || ends.size >= answer.statementCount) resolve([...ends.values()])
        }),
      )
    })
    try {
      client.submit({ connId, sql, channel: name, requestId, oriConnId, ...(values && { values }) })
      return await heard
    } finally {
      for (const stop of stops) stop()
      client.forget(requestId)
    }
  }

  function ask(sql: string, options: AskOptions = {}): Promise<QueryRsp[]> {
    const { requestId = newNonce() } = options
    const asked = before.then(() => askNow(sql, requestId, options))
    // The caller gets a failure; the next one only waits for its end.
    before = asked.catch(() => undefined)
    return asked
  }

  function abandonConnection(): void {
    client.killConnection(connId)
    leaveConnection()
  }

  return {
    connId: () => connId,
    ask,
    async run(sql) {
      const ends = await ask(sql)
      const failed = ends.find((end) => end.queryState === QUERY_STATES.Failed)
      const last = ends.at(-1)
      if (failed || !last) throw failed ? new StatementError(failed) : new Error('There was no answer.')
      return last
    },
    leaveConnection,
    abandonConnection,
    end() {
      abandonConnection()
      stopListening()
    },
  }
}
