import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { OutsideRefused } from '../../kernel/outside.ts'
import { isPublic, publicLookup } from '../bucket/addresses.ts'
import { closedNetwork, failureOf } from '../bucket/refusals.ts'
import { MessageEnd } from './message-end.ts'
import { type Answer, answerRead, type Call, callWritten, nonsense } from './thrift-message.ts'

/** It is read on the thread that everybody shares. */
export const LONGEST_ANSWER = 2 * 1024 * 1024

const FIRST_ROOM = 16 * 1024

const DEFAULT_PORT = 9083
const SILENCE_MS = 10_000

export interface MetastoreNetwork {
  /** `thrift://host:port`, or `thrift+tls://…`, that the operator has allowed. Others must be public, with TLS. */
  readonly openEndpoints: readonly string[]
  /** How long nothing may come. */
  readonly silenceMs?: number
}

interface Address {
  readonly host: string
  readonly port: number
}

/** A host as a catalog names it, with a port or without. */
function addressOf(hiveHost: string): Address {
  const [host = '', port] = hiveHost.split(':')
  return { host, port: port === undefined ? DEFAULT_PORT : Number(port) }
}

function opened({ host, port }: Address, openEndpoints: readonly string[]): Socket {
  const allowed = (scheme: string) => openEndpoints.includes(`${scheme}://${host.toLowerCase()}:${port}`)
  if (allowed('thrift')) return connectPlain({ host, port })
  const isName = isIP(host) === 0
  const servername = isName ? { servername: host } : {}
  if (allowed('thrift+tls')) return connectTls({ host, port, ...servername })
  if (!isName && !isPublic(host)) throw closedNetwork()
  return connectTls({ host, port, ...servername, lookup: publicLookup })
}

/** One question after the other. */
export interface MetastoreConnection {
  ask(call: Call): Promise<Answer>
  close(): void
}

/** Opened for a few questions, since a metastore has a thread for each of its connections. */
export function connectMetastore(
  hiveHost: string,
  { openEndpoints, silenceMs = SILENCE_MS }: MetastoreNetwork,
  stop: AbortSignal,
): MetastoreConnection {
  const socket = opened(addressOf(hiveHost), openEndpoints)
  socket.setNoDelay(true)
  const late = () => new OutsideRefused('unreachable', `it does not answer within ${silenceMs / 1000} s`)
  socket.setTimeout(silenceMs, () => socket.destroy(late()))
  const give = () => socket.destroy(late())
  if (stop.aborted) give()
  stop.addEventListener('abort', give, { once: true })
  // Who asks awaits it.
  socket.on('error', () => undefined)

  return {
    async ask(call) {
      socket.write(callWritten(call))
      return answerRead(await messageFrom(socket), call.name)
    },
    close() {
      stop.removeEventListener('abort', give)
      socket.destroy()
    },
  }
}

async function messageFrom(socket: Socket): Promise<Buffer> {
  const end = new MessageEnd()
  // Grown by doubling: a server that sends single bytes costs no more than others.
  let room = Buffer.allocUnsafe(FIRST_ROOM)
  let arrived = 0
  try {
    for await (const part of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      if (arrived + part.length > room.length)
        room = Buffer.concat([room.subarray(0, arrived)], 2 * (arrived + part.length))
      arrived += part.copy(room, arrived)
      const bytes = room.subarray(0, arrived)
      const length = end.find(bytes)
      if (length === bytes.length) return bytes
      // Nothing else was asked for.
      if (length !== null) throw nonsense('followed by something else')
      if (bytes.length > LONGEST_ANSWER) throw nonsense('far too long')
    }
  } catch (error) {
    throw failureOf(error)
  }
  throw new OutsideRefused(
    'unreachable',
    'it ends the connection; a Hive metastore with Kerberos, or with TLS where the operator has allowed it without, does that',
  )
}
