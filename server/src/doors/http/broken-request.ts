import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '../../kernel/app-error.ts'
import { errorAnswer } from './error-answer.ts'
import { refusedResponse } from './stream-answer.ts'

interface Broken {
  readonly status: number
  readonly message: string
}

const BROKEN: Readonly<Record<string, Broken>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time. Send it again.' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large.' },
}
const NO_HTTP = { status: 400, message: 'This is not an HTTP/1.1 request.' }

/** The load of a connection, for which nothing else may be answered there. */
interface Busy {
  /** Null: it ends with its connection. */
  stop: (() => void) | null
  /** It was found before it was known how to stop the load. */
  isBroken: boolean
  /** It will be known. */
  readonly canStop: boolean
}

const busy = new WeakMap<Socket, Busy>()

/**
 * A load that runs is answered by its own words or by none: what comes after its body on the same connection must not
 * be answered as if it were the load. Gives what is called when it is over.
 */
export function answersAlone(socket: Socket, { canStop }: Pick<Busy, 'canStop'>): () => void {
  const load: Busy = { stop: null, isBroken: false, canStop }
  busy.set(socket, load)
  return () => {
    busy.delete(socket)
    if (load.isBroken) socket.destroySoon()
  }
}

/** Called when what comes on the connection of this load is broken: its own answer says so then. */
export function whenBroken(socket: Socket, stop: () => void): void {
  const load = busy.get(socket)
  if (!load) return
  load.stop = stop
  if (load.isBroken) stop()
}

/** Whether a load that runs will answer for what is broken. */
function isLeftToLoad(socket: Socket): boolean {
  const load = busy.get(socket)
  if (!load?.canStop || !socket.writable) return false
  if (!load.isBroken) load.stop?.()
  load.isBroken = true
  return true
}

/** Answers what never became a request: the same envelope and headers as any other answer, then the end. */
export function refuseBroken(error: Error & { code?: string }, socket: Socket, headers: object): void {
  if (isLeftToLoad(socket)) return
  const { status, message } = BROKEN[error.code ?? ''] ?? NO_HTTP
  const refused = new AppError('BadInput', message)
  // What it was to be is not known: programs that send data read the words of a load.
  const text = JSON.stringify({ ...errorAnswer(refused).body, ...refusedResponse(refused, '') })
  const lines = Object.entries({
    ...headers,
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  // Where something was answered before, these words could end up in the middle of it.
  if (socket.writable && socket.bytesWritten === 0 && !busy.has(socket))
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${text}`)
  socket.destroy()
}
