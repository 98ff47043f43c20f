import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { CHANNEL_CLOSE, CHANNEL_PATH, CODES, LIMITS } from '@boathouse/contract'
import { type WebSocket, WebSocketServer } from 'ws'
import { whyBlocked } from '../../kernel/client-address.ts'
import type { Events } from '../../kernel/events.ts'
import type { JsonReader } from '../../kernel/json/reader.ts'
import type { Log } from '../../kernel/log.ts'
import type { Announcements } from '../../modules/announcement/service.ts'
import type { Queries } from '../../modules/query/service.ts'
import { errorAnswer } from '../http/error-answer.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type Admitted, type ChannelAdmission, createAdmission } from './admission.ts'
import { Channel } from './channel.ts'
import { fullness } from './channel-limits.ts'

export interface RealtimeDoor extends ChannelAdmission {
  readonly queries: Queries
  readonly announcements: Announcements
  readonly events: Events
  readonly metrics: Metrics
  readonly jsonReader: JsonReader
  readonly log: Log
}

/** So long a client may take to answer a close before its connection is cut. */
const CLOSE_WITHIN_MS = 2_000

/** Answers a handshake that is refused: the same envelope as a call's. */
function refuse(socket: Duplex, error: unknown): void {
  const { status, body } = errorAnswer(error)
  const text = JSON.stringify(body)
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}

/** CHANNEL-06, CHANNEL-07: opens channels for logins, and closes them when the login ends. */
export function openRealtimeDoor(server: Server, door: RealtimeDoor) {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LIMITS.channelMessageBytes })
  const channels = new Set<Channel>()
  /** Connections of channels and of refused handshakes: the server ends when the last of them is gone. */
  const connections = new Set<Duplex>()
  const insId = randomUUID()

  const admit = createAdmission(door)

  function open(socket: WebSocket, admitted: Admitted): void {
    const { queries, announcements, jsonReader, log } = door
    const full = fullness(admitted.actor, channels)
    if (full !== null) {
      // Until the close has reached the client it can still send anything, and an error nobody hears ends the process.
      socket.on('error', (error) => log.info({ err: error }, 'a refused channel broke off'))
      socket.close(CHANNEL_CLOSE.LimitReached, full)
      return
    }
    const channel = new Channel({
      socket,
      insId,
      queries,
      announcements,
      jsonReader,
      log,
      ...admitted,
    })
    channels.add(channel)
    door.metrics.channels.set(channels.size)
    socket.on('close', () => {
      channels.delete(channel)
      door.metrics.channels.set(channels.size)
    })
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    try {
      const admitted = await admit(request)
      sockets.handleUpgrade(request, socket, head, (webSocket) => open(webSocket, admitted))
    } catch (error) {
      if (!errorAnswer(error).isForeseen) door.log.error({ err: error }, 'a channel could not be opened')
      refuse(socket, error)
    }
  }

  server.on('upgrade', (request, socket, head) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
    socket.on('error', (error) => door.log.info({ err: error }, 'a channel handshake broke off'))
    if (request.url?.split('?', 1)[0] === CHANNEL_PATH) void upgrade(request, socket, head)
    else socket.end(`HTTP/1.1 ${CODES.UnknownCall.http} Not Found\r\nconnection: close\r\n\r\n`)
  })
  const stopNotifying = door.events.on('announced', (announcement) => {
    const { accountId, userId } = announcement
    for (const channel of channels)
      if (channel.accountId === accountId && (userId === null || channel.userId === userId))
        channel.announce(announcement)
  })
  const stopListening = door.events.on('loginEnded', ({ loginId }) => {
    for (const channel of channels)
      if (channel.loginId === loginId) channel.close(CHANNEL_CLOSE.LoginRequired, 'Your sign-in has ended.')
  })
  const stopChecking = door.events.on('keyChanged', ({ keyId }) => {
    for (const channel of channels)
      if (channel.keyId === keyId)
        channel
          .check()
          .catch((error: unknown) =>
            door.log.error({ err: error }, 'a channel of an API key was not checked'),
          )
  })
  const stopGuarding = door.events.on('firewallChanged', ({ accountId, letsIn }) => {
    for (const channel of channels)
      if (channel.accountId === accountId && !letsIn(channel.clientIp))
        channel.close(CHANNEL_CLOSE.IpBlocked, whyBlocked(channel.clientIp))
  })

  return {
    close(): void {
      stopListening()
      stopChecking()
      stopGuarding()
      stopNotifying()
      for (const channel of channels)
        channel.close(CHANNEL_CLOSE.ServerClosing, 'The service is shutting down.')
      sockets.close()
      setTimeout(() => {
        for (const connection of connections) connection.destroy()
      }, CLOSE_WITHIN_MS).unref()
    },
  }
}
