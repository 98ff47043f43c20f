import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  CHANNEL_PATH,
  CODES,
  CONN_NEW,
  QUERY_STATES,
  type QueryRsp,
  type Row,
  ServerMessage,
} from '@boathouse/contract'
import { WebSocket } from 'ws'
import { logIn, signedParts } from './call.ts'
import type { Product } from './product.ts'

const ANSWER_WITHIN_MS = 30_000

async function openChannel(product: Product): Promise<WebSocket> {
  const { code, message, data } = await logIn(product)
  if (code !== CODES.Ok.code) throw new Error(`Signing in failed: ${message}`)
  const address = new URL(CHANNEL_PATH, product.url.replace(/^http/, 'ws'))
  address.search = new URLSearchParams({ client_id: randomUUID(), ...signedParts(data.token, '') }).toString()
  const socket = new WebSocket(address)
  await once(socket, 'open')
  return socket
}

const isLast = (answer: QueryRsp): boolean =>
  answer.queryState === QUERY_STATES.Failed ||
  (answer.queryState === QUERY_STATES.Finished && answer.statementIndex + 1 >= answer.statementCount)

/** Runs SQL without a browser and answers the rows of its last statement. */
export async function ask(product: Product, sql: string): Promise<Row[]> {
  const socket = await openChannel(product)
  const late = setTimeout(() => socket.terminate(), ANSWER_WITHIN_MS)
  try {
    const queryReq = { connId: CONN_NEW, oriConnId: CONN_NEW, channel: 'e2e', requestId: randomUUID(), sql }
    const answer = new Promise<QueryRsp>((resolve, reject) => {
      socket.on('message', (data: Buffer) => {
        const { data: message, error } = ServerMessage.safeParse(JSON.parse(data.toString()))
        if (error) reject(error)
        else if (message.cmd === 2 && isLast(message.queryRsp)) resolve(message.queryRsp)
      })
      socket.once('error', reject)
      socket.once('close', (code) =>
        reject(new Error(`The channel closed (${code}) without an answer to: ${sql}`)),
      )
    })
    socket.send(JSON.stringify({ cmd: 2, queryReq }))
    const { queryState, errMsg, result } = await answer
    if (queryState === QUERY_STATES.Failed) throw new Error(`${errMsg} in: ${sql}`)
    return result
  } finally {
    clearTimeout(late)
    socket.close()
  }
}
