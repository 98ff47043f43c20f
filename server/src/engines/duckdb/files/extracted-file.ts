import { createReadStream } from 'node:fs'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import type { FileReading, InspectOrder, LoadOrder } from '../../engine/files.ts'
import { isDiskFull } from '../../../kernel/disk-full.ts'
import { StatementInterrupted, StatementRefused } from '../errors.ts'
import { refuse } from './file-head.ts'
import { openOnlyFile } from './zip-file.ts'

/** Texts become smaller by a factor of ten or twenty. What becomes so much larger was made to do harm. */
const MOST_RATIO = 250
const ALWAYS_ALLOWED = 64 * 1024 * 1024
/** As large as a file may be that is not compressed. */
const MOST_BYTES = 10_000_000_000
const LOOKS_AT_DISK_EVERY = 64 * 1024 * 1024
const ROOM_BESIDE = 256 * 1024 * 1024
/** How far back a frame may refer, as a power of two: so much of it is held in memory. */
const MOST_WINDOW_LOG = 27
const OWN = 0o600

const MARKS = [
  ['gzip', [0x1f, 0x8b]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
] as const
type Compression = (typeof MARKS)[number][0]

export interface ExtractedFile {
  readonly path: string
  /** More follows behind this; null: it is all there. Missing: the file is not compressed. */
  readonly cutAt?: number | null
}

export interface Extracting {
  readonly format: FileReading['format']
  /** Of a text, as much of its beginning is enough; null: all of it. */
  readonly firstBytes: number | null
  readonly stop: AbortSignal
}

/** To look at a text, its beginning is enough. */
export const extractingOf = (order: InspectOrder | LoadOrder, stop: AbortSignal): Extracting => {
  const { format } = order.reading
  const isText = format === 'csv' || format === 'tsv'
  const firstBytes = order.does === 'inspect' && isText ? (order.extractedBytes ?? null) : null
  return { format, firstBytes, stop }
}

/** What a compressed file holds, beside the file itself, for as long as the work takes. Others are as they are. */
export async function withExtracted<T>(
  path: string,
  extracting: Extracting,
  work: (file: ExtractedFile) => Promise<T>,
): Promise<T> {
  const compression = extracting.format === 'xlsx' ? null : await compressionOf(path)
  if (compression === null) return work({ path })
  const extracted = `${path}-extracted`
  try {
    const cutAt = await extract(path, extracted, { ...extracting, compression })
    return await work({ path: extracted, cutAt })
  } finally {
    await rm(extracted, { force: true })
  }
}

async function compressionOf(path: string): Promise<Compression | null> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(4), position: 0 })
    const head = buffer.subarray(0, bytesRead)
    return MARKS.find(([, mark]) => mark.every((byte, at) => head[at] === byte))?.[0] ?? null
  } finally {
    await file.close()
  }
}

function zstdExtractor() {
  if (!('createZstdDecompress' in zlib))
    throw refuse('This service cannot read zstd: it needs Node 22.15 or newer. Compress the file with gzip.')
  const { createZstdDecompress, constants } = zlib as typeof zlib & {
    createZstdDecompress(options: { params: Record<number, number> }): zlib.Gunzip
    constants: { ZSTD_d_windowLogMax: number }
  }
  return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MOST_WINDOW_LOG } })
}

interface Chunks {
  readonly chunks: AsyncIterable<Buffer>
  close(): void
}

async function opened(
  path: string,
  compression: Compression,
  format: FileReading['format'],
): Promise<Chunks> {
  if (compression === 'zip') {
    const { stream, close } = await openOnlyFile(path, format)
    return { chunks: stream, close }
  }
  const extractor = compression === 'gzip' ? zlib.createGunzip() : zstdExtractor()
  // An error of the file ends the extractor, and so the reading of it.
  const chunks: Readable = pipeline(createReadStream(path), extractor, () => undefined)
  return { chunks, close: () => undefined }
}

/** Where it was cut; null: nowhere. */
async function extract(
  path: string,
  extracted: string,
  { compression, format, firstBytes, stop }: Extracting & { readonly compression: Compression },
): Promise<number | null> {
  const { size } = await stat(path)
  const { chunks, close } = await opened(path, compression, format)
  const out = await open(extracted, 'wx', OWN)
  let bytes = 0
  let lookAt = LOOKS_AT_DISK_EVERY
  try {
    for await (const chunk of chunks) {
      if (stop.aborted) throw new StatementInterrupted()
      const isCut = firstBytes !== null && bytes + chunk.length > firstBytes
      await out.writeFile(isCut ? chunk.subarray(0, firstBytes - bytes) : chunk)
      if (isCut) return firstBytes
      bytes += chunk.length
      refuseBomb(bytes, size)
      if (bytes < lookAt) continue
      await requireRoom(path)
      lookAt = bytes + LOOKS_AT_DISK_EVERY
    }
    return null
  } catch (error) {
    const isKnown = error instanceof StatementRefused || error instanceof StatementInterrupted
    throw !isKnown && !isDiskFull(error)
      ? refuse(`The file is damaged or cut off: it is not ${compression}.`)
      : error
  } finally {
    close()
    await out.close()
  }
}

function refuseBomb(bytes: number, size: number): void {
  if (bytes > MOST_BYTES)
    throw refuse(
      `The file has more than ${MOST_BYTES / 1e9} GB when it is extracted, the maximum for a load. Split it.`,
    )
  if (bytes > Math.max(ALWAYS_ALLOWED, size * MOST_RATIO))
    throw refuse(
      `The file becomes more than ${MOST_RATIO} times larger when it is extracted. Extract it and upload that.`,
    )
}

async function requireRoom(path: string): Promise<void> {
  const { bavail, bsize } = await statfs(dirname(path))
  if (bavail * bsize < ROOM_BESIDE)
    throw refuse('The disk of the service has no room to extract this file. Nothing was loaded.')
}
