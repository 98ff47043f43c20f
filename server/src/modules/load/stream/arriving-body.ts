import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import type { Duplex } from 'node:stream'
import { LIMITS } from '@boathouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import { decodeArrow } from './decoding/arrow.ts'
import { BrokenArrow } from './decoding/arrow-messages.ts'
import { BrokenData } from './decoding/byte-source.ts'
import { decodeBzip2 } from './decoding/bzip2.ts'
import { decodeLz4 } from './decoding/lz4-frames.ts'
import type { Compression } from './stream-options.ts'
import { createRowDelimiters } from './row-delimiters.ts'

/** How long a sender may be silent, and how much a body may be. */
export interface BodyBounds {
  readonly idleMs: number
  readonly mostBytes: number
  /** Room on the disk that nobody has used yet. */
  freeBytes(): Promise<number>
}

export interface ArrivingBody {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly compression: Compression | null
  /** Its rows become lines of JSON on the way. */
  readonly isArrow: boolean
  readonly rowDelimiter: string | null
  /** A mark of the byte order at its beginning is no part of it. */
  readonly isText: boolean
  /** Aborted when the time of the load is over, or somebody has cancelled it. */
  readonly stop: AbortSignal
  onReceived(bytes: number): void
}

export interface Arrived {
  /** As they were sent. */
  readonly received: number
  /** As they are loaded. */
  readonly written: number
}

/** Texts become smaller by a factor of ten or twenty. What becomes so much larger was made to do harm. */
const MOST_RATIO = 250
const ALWAYS_ALLOWED = 64 * 1024 * 1024
const LOOKS_AT_DISK_EVERY = 256 * 1024 * 1024
const ROOM_BESIDE = 256 * 1024 * 1024

export const IDLE_MS = 30_000
export const MOST_BYTES = LIMITS.uploadBytes

const DISK_FULL = 'The disk of the service has no room for this load. Nothing was loaded.'

type Decoder = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>

/** What undoes a compression. Refuses one that this installation cannot undo, before any of the body comes. */
export function decompressor(compression: Compression | null): (() => Duplex | Decoder) | null {
  if (compression === null) return null
  if (compression === 'lz4') return () => decodeLz4
  if (compression === 'bzip2') return () => decodeBzip2
  if (compression === 'gzip') return () => zlib.createGunzip()
  if (compression === 'deflate') return () => zlib.createInflate()
  if ('createZstdDecompress' in zlib) return zlib.createZstdDecompress as () => Duplex
  throw new AppError(
    'BadInput',
    'compression: zstd is not available. The service needs Node 22.15 or newer for it. Send gzip or lz4.',
  )
}

/** Ends a sender that says nothing for too long. One timer for all of a body: there may be a hundred thousand chunks. */
async function* paced({ bytes, stop, onReceived }: ArrivingBody, idleMs: number): AsyncGenerator<Uint8Array> {
  const arriving = bytes[Symbol.asyncIterator]()
  let fail: ((reason: unknown) => void) | undefined
  const silent = `The body stopped arriving for ${idleMs / 1_000} seconds. Nothing was loaded.`
  const timer = setTimeout(() => fail?.(new AppError('BadInput', silent)), idleMs)
  const stopped = () => fail?.(stop.reason)
  stop.addEventListener('abort', stopped)
  const arrived = () =>
    new Promise<IteratorResult<Uint8Array>>((resolve, reject) => {
      fail = reject
      arriving.next().then(resolve, reject)
    })
  try {
    for (;;) {
      stop.throwIfAborted()
      timer.refresh()
      const next = await arrived()
      if (next.done) return
      onReceived(next.value.byteLength)
      yield next.value
    }
  } finally {
    clearTimeout(timer)
    stop.removeEventListener('abort', stopped)
    // Not waited for: a sender that is silent may never answer.
    void Promise.resolve(arriving.return?.()).catch(() => undefined)
  }
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

async function* withoutMark(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Buffer | null = Buffer.alloc(0)
  for await (const chunk of chunks) {
    if (start === null) {
      yield chunk
      continue
    }
    start = Buffer.concat([start, chunk])
    if (start.length < BYTE_ORDER_MARK.length) continue
    const hasMark = start.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
    yield hasMark ? start.subarray(BYTE_ORDER_MARK.length) : start
    start = null
  }
  if (start) yield start
}

/** Takes a body in as it arrives: it waits for the disk, and the sender waits for it. */
export async function receiveBody(
  put: (chunk: Uint8Array) => Promise<void>,
  body: ArrivingBody,
  bounds: BodyBounds,
): Promise<Arrived> {
  let received = 0
  let written = 0
  let lookAt = LOOKS_AT_DISK_EVERY / 256
  const rows = body.rowDelimiter === null ? null : createRowDelimiters(body.rowDelimiter)

  async function write(chunk: Uint8Array): Promise<void> {
    if (written + chunk.byteLength > bounds.mostBytes)
      throw new AppError(
        'TooLarge',
        `The body has more than ${bounds.mostBytes} bytes, the maximum. Send it in parts.`,
      )
    if (written + chunk.byteLength > Math.max(ALWAYS_ALLOWED, received * MOST_RATIO))
      throw new AppError(
        'BadInput',
        `The body becomes more than ${MOST_RATIO} times larger when it is extracted.`,
      )
    if (written >= lookAt) {
      if ((await bounds.freeBytes()) < ROOM_BESIDE) throw new AppError('DiskFull', DISK_FULL)
      lookAt = written + LOOKS_AT_DISK_EVERY
    }
    await put(chunk)
    written += chunk.byteLength
  }

  async function writeAll(chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const all = body.isText ? withoutMark(chunks) : chunks
    for await (const chunk of all) await write(rows ? rows.take(chunk) : chunk)
    if (rows) await write(rows.rest())
  }

  const counted = paced(
    { ...body, onReceived: (bytes) => ((received += bytes), body.onReceived(bytes)) },
    bounds.idleMs,
  )
  const take = (chunks: AsyncIterable<Uint8Array>) => writeAll(body.isArrow ? decodeArrow(chunks) : chunks)
  const extract = decompressor(body.compression)
  await (extract ? pipeline(counted, extract(), take) : take(counted)).catch((error: unknown) => {
    throw isBroken(error) ? new AppError('BadInput', brokenBody(body, error)) : error
  })
  return { received, written }
}

function isBroken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return error instanceof BrokenData || /^(?:Z_|ERR_ZLIB|ZSTD_|ERR__ERROR)/.test(code)
}

function brokenBody({ compression }: ArrivingBody, error: unknown): string {
  const what = compression === null || error instanceof BrokenArrow ? 'an Arrow stream' : compression
  return `The body is not ${what}, or it was cut off.`
}
