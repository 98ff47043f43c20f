import { ClientMessage, type QueryReq, type QueryRsp, type ServerMessage } from '@boathouse/contract/realtime'
import type { SocketHandlers, SocketLike } from '../realtime-client.ts'

export interface FakeSocket extends SocketLike {
  readonly url: string
  /** What the client sent, checked against the contract. */
  readonly sent: ClientMessage[]
  queries(): QueryReq[]
  closedByClient(): boolean
  /** The service's side of the wire. */
  accept(): void
  deliver(message: ServerMessage): void
  deliverRaw(data: unknown): void
  /** 1006: cut without a word. */
  drop(code?: number): void
  fail(detail: unknown): void
}

function fakeSocket(url: string): FakeSocket {
  const sent: ClientMessage[] = []
  let handlers: SocketHandlers | undefined
  let closed = false
  const listening = (): SocketHandlers => {
    if (!handlers) throw new Error('Nobody listens to this socket yet.')
    return handlers
  }
  return {
    url,
    sent,
    listen(given) {
      handlers = given
    },
    send(text) {
      sent.push(ClientMessage.parse(JSON.parse(text)))
    },
    close() {
      closed = true
    },
    queries: () => sent.flatMap((message) => (message.cmd === 2 ? [message.queryReq] : [])),
    closedByClient: () => closed,
    accept: () => listening().opened(),
    deliver: (message) => listening().received(JSON.stringify(message)),
    deliverRaw: (data) => listening().received(data),
    drop: (code = 1006) => listening().closed(code),
    fail: (detail) => listening().failed(detail),
  }
}

export interface FakeSockets {
  readonly all: FakeSocket[]
  open: (url: string) => FakeSocket
  /** The one opened last. */
  latest(): FakeSocket
}

export function fakeSockets(): FakeSockets {
  const all: FakeSocket[] = []
  return {
    all,
    open(url) {
      const socket = fakeSocket(url)
      all.push(socket)
      return socket
    },
    latest() {
      const last = all.at(-1)
      if (!last) throw new Error('No socket was opened.')
      return last
    },
  }
}

/** A finished answer to the query, with what the test cares about put over it. */
export const answerTo = (req: QueryReq, over: Partial<QueryRsp> = {}): ServerMessage => ({
  cmd: 2,
  queryRsp: {
    errCode: 20000,
    channel: req.channel,
    requestId: req.requestId,
    connId: req.connId > 0 ? req.connId : 1,
    oriConnId: req.oriConnId,
    insId: 'ins-1',
    queryState: 2,
    result: [['1']],
    fields: [{ name: '1', type: 'INTEGER', family: 'number' }],
    totalRows: 1,
    errMsg: '',
    timeUsed: 1,
    queryId: 'query-1',
    catalogChange: false,
    dbChange: false,
    catalog: 'default_catalog',
    db: 'main',
    warehouseChange: false,
    warehouse: 'default_warehouse',
    statementIndex: 0,
    statementCount: 1,
    statementStart: 0,
    statementEnd: req.sql.length,
    truncated: false,
    errPosition: null,
    errKind: '',
    progress: null,
    progressRows: null,
    progressTotalRows: null,
    queuePlace: null,
    notice: '',
    longCells: [],
    resultKept: false,
    ...over,
  },
})
