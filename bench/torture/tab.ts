import { CONN_NEW, QUERY_STATES, type QueryRsp } from '@boathouse/contract'
import type { CutChannel } from './testing/cut-channel.ts'

/** The client itself gives up long before. */
const ANSWERED_WITHIN_MS = 20_000

interface Question {
  readonly requestId: string
  readonly sql: string
}

/** One tab of a console: asks one thing at a time, over a connection that it keeps through cuts and crashes. */
export class Tab {
  readonly #channel: CutChannel
  readonly #name: string
  #connId: number = CONN_NEW
  #oriConnId: number = CONN_NEW

  constructor(channel: CutChannel, name: string) {
    this.#channel = channel
    this.#name = name
    channel.client.on('lostConnections', (ids) => {
      if (ids.includes(this.#connId)) this.leaveConnection()
    })
  }

  get connId(): number {
    return this.#connId
  }

  /** The next question gets a new connection with the place of this one. */
  leaveConnection(): void {
    this.#oriConnId = this.#connId
    this.#connId = CONN_NEW
  }

  /** Ends it, and whatever it may still hold open. */
  abandonConnection(): void {
    this.#channel.client.killConnection(this.#connId)
    this.leaveConnection()
  }

  /** The last answer of every statement; null when the client gave the request up. */
  async ask({ requestId, sql }: Question): Promise<QueryRsp[] | null> {
    const { client } = this.#channel
    const answers = new Map<number, QueryRsp>()
    const stops: (() => void)[] = []
    const heard = new Promise<QueryRsp[] | null>((resolve) => {
      const late = setTimeout(() => resolve(null), ANSWERED_WITHIN_MS)
      stops.push(
        () => clearTimeout(late),
        client.on('dropped', (dropped) => {
          if (dropped.requestId === requestId) resolve(null)
        }),
        client.on('answer', (answer) => {
          if (answer.requestId !== requestId || !isEnd(answer)) return
          this.#follow(answer)
          answers.set(answer.statementIndex, answer)
          if (answer.queryId === '' || answers.size >= answer.statementCount) resolve([...answers.values()])
        }),
      )
    })
    const connId = this.#connId
    client.submit({ connId, sql, channel: this.#name, requestId, oriConnId: this.#oriConnId })
    const result = await heard
    for (const stop of stops) stop()
    client.forget(requestId)
    return result
  }

  #follow({ connId }: QueryRsp): void {
    if (connId > CONN_NEW) this.#connId = this.#oriConnId = connId
    else if (connId !== CONN_NEW) this.leaveConnection()
  }
}

const isEnd = ({ queryState }: QueryRsp): boolean =>
  queryState === QUERY_STATES.Finished || queryState === QUERY_STATES.Failed
