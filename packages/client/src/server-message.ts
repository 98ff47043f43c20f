import { type QueryRsp, ServerMessage } from '@boathouse/contract/realtime'
import type { RealtimeEmitter } from './realtime-emitter.ts'
import type { SeenEvents } from './seen-events.ts'

/** Messages of a later version are ignored, not refused. */
export function readServerMessage(data: unknown): { message: ServerMessage } | { ignored: string } {
  if (typeof data !== 'string') return { ignored: 'not a text message' }
  try {
    const parsed = ServerMessage.safeParse(JSON.parse(data))
    if (parsed.success) return { message: parsed.data }
    return {
      ignored: parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
    }
  } catch {
    return { ignored: 'not JSON' }
  }
}

interface ReceiverParts {
  readonly read: typeof readServerMessage
  readonly log: (message: string, detail?: unknown) => void
  readonly events: RealtimeEmitter
  readonly seen: Pick<SeenEvents, 'add'>
  readonly answered: (rsp: QueryRsp) => void
}

/** Passes each message of the server on to those it is for. */
export const createReceiver = ({ read, log, events, seen, answered }: ReceiverParts) =>
  function received(data: unknown): void {
    const parsed = read(data)
    if ('ignored' in parsed) {
      log('A message on the realtime channel was ignored.', parsed.ignored)
      events.emit('message-ignored', { reason: parsed.ignored })
      return
    }
    const { message } = parsed
    switch (message.cmd) {
      case 0:
        return
      case 1:
        if (message.keepAliveRsp.notAliveConnIds.length > 0)
          events.emit('lostConnections', message.keepAliveRsp.notAliveConnIds)
        return
      case 2:
        answered(message.queryRsp)
        return
      case 3:
        if (seen.add(message.seq)) events.emit('event', { type: message.type, data: message.data })
    }
  }
