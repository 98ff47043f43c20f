import type { QueryReq, QueryRsp } from '@boathouse/contract/realtime'
import { createRealtimeClient } from '../realtime-client.ts'
import type { DroppedQuery, RealtimeEvents, RealtimeStatus } from '../realtime-events.ts'
import { fakeClock } from './fake-clock.ts'
import { fakeSockets } from './fake-socket.ts'

/** A channel on a fake clock and fake sockets, not opened yet, with a record of all its events. */
export function startChannel(token: string | null = 'token', { waitsForLogin = false } = {}) {
  const clock = fakeClock()
  const sockets = fakeSockets()
  const logged: string[] = []
  const login = { token }
  const client = createRealtimeClient({
    address: () => (login.token === null ? null : `ws://localhost/websocket/connect?token=${login.token}`),
    openSocket: sockets.open,
    clock,
    waitsForLogin,
    log: (message) => logged.push(message),
  })
  const heard = {
    statuses: [] as RealtimeStatus[],
    dropped: [] as DroppedQuery[],
    answers: [] as QueryRsp[],
    lost: [] as number[],
    events: [] as RealtimeEvents['event'][],
    ignored: [] as string[],
    retries: [] as number[],
    relogins: 0,
  }
  client.on('status', (status) => heard.statuses.push(status))
  client.on('dropped', (dropped) => heard.dropped.push(dropped))
  client.on('answer', (rsp) => heard.answers.push(rsp))
  client.on('lostConnections', (ids) => heard.lost.push(...ids))
  client.on('event', (event) => heard.events.push(event))
  client.on('message-ignored', ({ reason }) => heard.ignored.push(reason))
  client.on('retry', ({ attempt }) => heard.retries.push(attempt))
  client.on('relogin', () => heard.relogins++)
  return { client, clock, sockets, logged, login, heard }
}

/** The channel once it is open for the first time; no tab has a connection yet, so nothing was sent. */
export function openChannel() {
  const channel = startChannel()
  channel.client.open()
  channel.sockets.latest().accept()
  return channel
}

/** Cut, wait for the reconnect, open again. */
export function reopen(
  { clock, sockets }: Pick<ReturnType<typeof startChannel>, 'clock' | 'sockets'>,
  code = 1006,
) {
  sockets.latest().drop(code)
  clock.advance(1000)
  sockets.latest().accept()
}

/** A query of the tab `tab-1` on its connection 7; short ids are padded to the required length. */
export const query = (requestId: string, over: Partial<QueryReq> = {}): QueryReq => ({
  connId: 7,
  sql: 'SELECT 1',
  channel: 'tab-1',
  requestId: requestId.padEnd(8, '-'),
  oriConnId: 0,
  ...over,
})
