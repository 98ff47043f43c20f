import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Outside, OutsideRefused } from '../../../kernel/outside.ts'
import { MOST_AT_ONCE, PATHS, REASON_HEADER, WINDOW } from './wire.ts'

const { HTTP2_HEADER_PATH, NGHTTP2_CANCEL } = constants

/** A number of bytes from 0 on; NaN for an invalid one. */
const bytesIn = (text: string | null): number =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN

function rangeIn(asked: URLSearchParams): { first: number; last: number } | null {
  if (!asked.has('first')) return null
  const [first, last] = [bytesIn(asked.get('first')), bytesIn(asked.get('last'))]
  if (first <= last) return { first, last }
  throw new OutsideRefused('missing', 'there are no such bytes')
}

/** Sent on as a header, hence nothing but what can stand in one. */
function etagIn(asked: URLSearchParams): string {
  const etag = asked.get('etag') ?? ''
  if (/^[\x21-\x7e]{0,200}$/.test(etag)) return etag
  throw new OutsideRefused('changed', 'it was not listed with such a content')
}

function whenClosed(stream: ServerHttp2Stream): AbortSignal {
  const gone = new AbortController()
  stream.once('close', () => gone.abort())
  return gone.signal
}

/** Null: no page is asked for. */
async function pageAt(
  pathname: string,
  { asked, catalogId, stop }: { asked: URLSearchParams; catalogId: string; stop: AbortSignal },
  outside: Outside,
): Promise<unknown> {
  const after = asked.get('after')
  if (pathname === PATHS.list) return outside.list(catalogId, after, stop)
  if (pathname === PATHS.tables) return outside.tables(catalogId, after, stop)
  if (pathname !== PATHS.files) return null
  const table = { database: asked.get('database') ?? '', name: asked.get('name') ?? '' }
  return outside.files(catalogId, { ...table, after }, stop)
}

async function answer(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  outside: Outside,
): Promise<void> {
  const { pathname, searchParams: asked } = new URL(`http://service${String(headers[HTTP2_HEADER_PATH])}`)
  const stop = whenClosed(stream)
  const catalogId = asked.get('catalog') ?? ''
  const page = await pageAt(pathname, { asked, catalogId, stop }, outside)
  if (page !== null) {
    if (stream.closed) return
    stream.respond({ ':status': 200 })
    stream.end(JSON.stringify(page))
    return
  }
  if (pathname !== PATHS.read) throw new OutsideRefused('missing', 'the request is unknown')
  const wanted = { key: asked.get('key') ?? '', etag: etagIn(asked), range: rangeIn(asked) }
  const { length, body } = await outside.read(catalogId, wanted, stop)
  if (stream.closed) return void body.destroy()
  stream.respond({ ':status': 200, 'content-length': length })
  await pipeline(body, stream)
}

function refuse(stream: ServerHttp2Stream, error: unknown, onTrouble: (error: unknown) => void): void {
  if (stream.closed || stream.destroyed) return
  // In the middle of an answer there are no other words.
  if (stream.headersSent) return stream.close(NGHTTP2_CANCEL)
  if (!(error instanceof OutsideRefused)) onTrouble(error)
  const { reason, message } =
    error instanceof OutsideRefused
      ? error
      : new OutsideRefused('unreachable', 'the service has failed to read it')
  stream.respond({ ':status': 502, [REASON_HEADER]: reason })
  stream.end(message)
}

/** Answers one engine, for as long as its process lives. */
export function serveOutside(
  pipe: Duplex,
  outside: Outside,
  onTrouble: (error: unknown) => void,
): ServerHttp2Session {
  const session = performServerHandshake(pipe, {
    settings: { initialWindowSize: WINDOW.stream, maxConcurrentStreams: MOST_AT_ONCE, enablePush: false },
  })
  session.on('stream', (stream, headers) => {
    // One that its engine has given up; what was read for it ends with it.
    stream.on('error', () => undefined)
    answer(stream, headers, outside).catch((error: unknown) => refuse(stream, error, onTrouble))
  })
  // The pipe ends with its process, whose end is reported elsewhere.
  session.on('error', () => undefined)
  return session
}
