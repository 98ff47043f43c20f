import { systemClock } from '../clock.ts'
import { untilOpen } from '../open-session.ts'
import { createRealtimeClient, type RealtimeClient } from '../realtime-client.ts'
import { openWebSocket, type WebSocketClass } from '../web-socket.ts'
import { ChannelError } from './errors.ts'

interface LineParts {
  /** Another one for each try. */
  readonly url: () => string
  readonly headers: Record<string, string>
  readonly connections: () => number[]
}

/** That of a browser cannot send headers, and needs none for a sign-in. Node's is too new to count on. */
async function socketClass(headers: Record<string, string>): Promise<WebSocketClass | undefined> {
  if (typeof process === 'undefined') return undefined
  const { WebSocket } = await import('ws')
  return class extends WebSocket {
    constructor(url: string) {
      super(url, { headers })
    }
  }
}

/** The one channel of a client, opened with its first session. */
export function createLine({ url, headers, connections }: LineParts) {
  let opened: Promise<RealtimeClient> | null = null

  async function openNow(): Promise<RealtimeClient> {
    const Socket = await socketClass(headers)
    const channel = createRealtimeClient({
      address: url,
      openSocket: (address) => openWebSocket(address, Socket),
      clock: systemClock,
      log: () => undefined,
    })
    channel.setConnections(connections)
    try {
      await untilOpen(channel)
    } catch (error) {
      opened = null
      const message = error instanceof Error ? error.message : String(error)
      throw new ChannelError({ codeName: 'NetworkError', code: 0, message, cause: error })
    }
    return channel
  }

  return {
    /** Again when the sign-in of the last one has ended. */
    async open(): Promise<RealtimeClient> {
      if (opened && (await opened).status() === 'closed') opened = null
      return (opened ??= openNow())
    },
    close(): void {
      opened?.then(
        (channel) => channel.close(),
        () => undefined, // It never opened: open() has rejected.
      )
      opened = null
    },
  }
}
