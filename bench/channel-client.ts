import { randomUUID } from 'node:crypto'
import { WebSocket, type RawData } from 'ws'
import {
  CHANNEL_TIMES,
  CONN_NEW,
  QUERY_STATES,
  type ClientMessage,
  type QueryRsp,
  type ServerMessage,
} from '@boathouse/contract'
import { channelAddress, type Login } from './signed-call.ts'
import type { SqlRunner } from './sql-runner.ts'

interface Waiting {
  resolve(answer: QueryRsp): void
  reject(error: Error): void
}

const isLast = (answer: QueryRsp): boolean =>
  answer.queryState === QUERY_STATES.Failed ||
  (answer.queryState === QUERY_STATES.Finished && answer.statementIndex + 1 >= answer.statementCount)

/** One tab on a realtime channel of its own. It neither reconnects nor sends again: a cut ends the measurement. */
export class ChannelClient implements SqlRunner {
  readonly #socket: WebSocket
  readonly #waiting = new Map<string, Waiting>()
  readonly #keepAlive: NodeJS.Timeout
  #connId: number = CONN_NEW

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => this.#receive(data))
    socket.on('close', (code, reason) => this.#fail(`The channel was closed: ${code} ${reason.toString()}`))
    socket.on('error', (error) => this.#fail(`The channel failed: ${error.message}`))
    this.#keepAlive = setInterval(
      () => this.#send({ cmd: 1, connIds: [this.#connId] }),
      CHANNEL_TIMES.heartbeatMs,
    )
  }

  /** The last answer, whatever it says. */
  async ask(sql: string, requestId: string = randomUUID()): Promise<QueryRsp> {
    const answer = await new Promise<QueryRsp>((resolve, reject) => {
      this.#waiting.set(requestId, { resolve, reject })
      const connId = this.#connId
      this.#send({ cmd: 2, queryReq: { connId, sql, channel: 'bench', requestId, oriConnId: connId } })
    })
    if (answer.connId > CONN_NEW) this.#connId = answer.connId
    return answer
  }

  async run(sql: string): Promise<QueryRsp['result']> {
    const answer = await this.ask(sql)
    if (answer.queryState === QUERY_STATES.Failed)
      throw new Error(`${answer.errMsg} (code ${answer.errCode}) in: ${sql.slice(0, 200)}`)
    return answer.result
  }

  async close(): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return
    const closed = new Promise((resolve) => this.#socket.once('close', resolve))
    this.#socket.close()
    await closed
  }

  #send(message: ClientMessage): void {
    this.#socket.send(JSON.stringify(message))
  }

  // Not checked against the schema: the check would be measured as if it were the product's own time.
  #receive(data: RawData): void {
    const message = JSON.parse((data as Buffer).toString('utf8')) as ServerMessage
    if (message.cmd !== 2 || !isLast(message.queryRsp)) return
    this.#waiting.get(message.queryRsp.requestId)?.resolve(message.queryRsp)
    this.#waiting.delete(message.queryRsp.requestId)
  }

  #fail(reason: string): void {
    clearInterval(this.#keepAlive)
    for (const waiting of this.#waiting.values()) waiting.reject(new Error(reason))
    this.#waiting.clear()
  }
}

export async function openChannel(login: Login): Promise<ChannelClient> {
  const socket = new WebSocket(channelAddress(login))
  await new Promise((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
  })
  return new ChannelClient(socket)
}
