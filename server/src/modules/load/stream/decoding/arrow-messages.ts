import { AppError } from '../../../../kernel/app-error.ts'
import { BrokenData, type ByteSource } from './byte-source.ts'
import { FlatTable } from './flatbuffer.ts'

/** What was sent is no Arrow, or was broken on its way. */
export class BrokenArrow extends BrokenData {}

export interface ArrowMessage {
  readonly is: 'schema' | 'dictionary' | 'batch'
  readonly header: FlatTable
  readonly body: Buffer
}

/** Each record batch is held as a whole, and so are all dictionaries. */
const MOST_BODY_BYTES = 64 * 1024 * 1024
const MOST_METADATA_BYTES = 4 * 1024 * 1024
const CONTINUES = 0xffffffff
const FILE_START = Buffer.from('ARROW1\0\0', 'latin1')
const KINDS = { 1: 'schema', 2: 'dictionary', 3: 'batch' } as const

/** Null at the end of the stream, which is marked by a length of zero or not at all. */
async function metadataLength(source: ByteSource): Promise<number | null> {
  if (await source.hasEnded()) return null
  let length = (await source.take(4)).readUInt32LE(0)
  if (length === CONTINUES) length = (await source.take(4)).readUInt32LE(0)
  if (length > MOST_METADATA_BYTES) throw new BrokenArrow('A message has too much metadata.')
  return length === 0 ? null : length
}

async function messageOf(source: ByteSource, length: number): Promise<ArrowMessage> {
  // Of its own memory: the source reuses nothing, but a slice would keep all that came with it.
  const message = FlatTable.root(Buffer.from(await source.take(length)))
  const [kind, header, bodyLength] = [message.byte(1), message.table(2), message.long(3)]
  const is = KINDS[kind as keyof typeof KINDS]
  if (!is || !header || bodyLength < 0) throw new BrokenArrow('There is an unknown message.')
  if (bodyLength > MOST_BODY_BYTES)
    throw new AppError(
      'BadInput',
      `A record batch has at most ${MOST_BODY_BYTES / 1024 ** 2} MB. Send smaller ones.`,
    )
  return { is, header, body: Buffer.from(await source.take(bodyLength)) }
}

/**
 * The messages of an Arrow IPC stream, each as a whole. A file is such a stream behind a mark; what follows the end of its
 * stream is a list of places, which nobody needs who reads it all.
 */
export async function* arrowMessages(source: ByteSource): AsyncGenerator<ArrowMessage> {
  const start = await source.peek(FILE_START.length)
  if (start.subarray(0, FILE_START.length).equals(FILE_START)) source.skip(FILE_START.length)
  for (let length = await metadataLength(source); length !== null; length = await metadataLength(source))
    yield await messageOf(source, length)
  while (!(await source.hasEnded())) source.skip((await source.peek(1)).length)
}
