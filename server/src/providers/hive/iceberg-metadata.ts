import type { IcebergTable } from '../../kernel/iceberg.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import type { BucketPlace, Buckets } from '../bucket/bucket.ts'
import { Metadata, parsedMetadata, tableOf } from '../iceberg/table-metadata.ts'

/** It is read on the thread that everybody shares. */
const LONGEST_MB = 4
const LONGEST = LONGEST_MB * 1024 * 1024

async function textIn(body: AsyncIterable<Uint8Array>, length: number): Promise<string> {
  const parts: Uint8Array[] = []
  let read = 0
  try {
    for await (const part of body) {
      read += part.length
      parts.push(part)
    }
  } catch (error) {
    throw new OutsideRefused('unreachable', 'it has stopped in the middle', { cause: error })
  }
  if (read !== length) throw new OutsideRefused('unreachable', 'it has stopped in the middle')
  return Buffer.concat(parts).toString('utf8')
}

/** The table that a file of metadata describes; a sentence without its end when it is not read. */
export async function readMetadata(
  buckets: Buckets,
  { place, key }: { readonly place: BucketPlace; readonly key: string },
  stop: AbortSignal,
): Promise<IcebergTable | string> {
  if (/\.gz(?:\.|$)/.test(key)) return 'its Iceberg metadata is compressed'
  const { length, body } = await buckets.read(place, { key, etag: '', range: null }, stop)
  if (length > LONGEST) {
    body.destroy()
    return `its Iceberg metadata has more than ${LONGEST_MB} MB; expire old snapshots of the table`
  }
  const text = await textIn(body, length)
  try {
    const content = tableOf(Metadata.parse(parsedMetadata(text)))
    if (typeof content !== 'string' && content.bucket !== place.bucket)
      return 'its Iceberg metadata lies in another bucket than its files'
    return content
  } catch (error) {
    if (error instanceof OutsideRefused) throw error
    return 'what its metadata location names is no Iceberg metadata'
  }
}
