import { OutsideRefused, type OutsideReason } from '../../../kernel/outside.ts'
import type { FilePlace } from '../../schema/catalogs/file-places.ts'
import type { Outside, ObjectPage } from '../../../kernel/outside.ts'
import { fileChanged, fileGone, nameMatcher, type SourceFile, SourceTrouble } from './source-file.ts'

type BucketPlace = Extract<FilePlace, { kind: 'bucket' }>

/** Reads buckets with the keys of a catalog over them. */
export interface BucketReader {
  of(accountId: string): Pick<Outside, 'read'>
  listBelow(
    accountId: string,
    asked: { readonly catalogId: string; readonly below: string; readonly after: string | null },
    stop: AbortSignal,
  ): Promise<ObjectPage>
}

const LATER: ReadonlySet<OutsideReason> = new Set(['unreachable', 'nonsense'])

function bucketTrouble({ prefix }: BucketPlace, error: unknown): unknown {
  if (error instanceof SourceTrouble) return error
  if (!(error instanceof OutsideRefused))
    return new SourceTrouble('unreachable', `${prefix} cannot be read: its server does not answer.`, {
      cause: error,
    })
  const reason = LATER.has(error.reason) ? 'unreachable' : 'refused'
  return new SourceTrouble(reason, `${prefix} cannot be read: ${error.message}.`, { cause: error })
}

/** What lies below a prefix, as many as its server lists at once. */
export async function* bucketPages(
  buckets: BucketReader,
  { accountId, place }: { readonly accountId: string; readonly place: BucketPlace },
  stop: AbortSignal,
): AsyncGenerator<readonly SourceFile[]> {
  const { catalogId, below, prefix, pattern } = place
  const isMeant = nameMatcher(pattern)
  let after: string | null = null
  do {
    stop.throwIfAborted()
    let page: ObjectPage
    try {
      page = await buckets.listBelow(accountId, { catalogId, below, after }, stop)
    } catch (error) {
      throw bucketTrouble(place, error)
    }
    yield page.objects
      .filter(({ key }) => isMeant(key))
      .map(({ key, size, etag, changedAt }) => ({
        path: `${prefix}${key}`,
        key,
        sizeBytes: size,
        version: etag,
        changedAt,
      }))
    after = page.next
  } while (after !== null)
}

/** The bytes of an object, of the content that was listed or not at all. */
export async function* bucketBytes(
  buckets: BucketReader,
  asked: { readonly accountId: string; readonly place: BucketPlace; readonly file: SourceFile },
  stop: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const { accountId, place, file } = asked
  const key = place.below === '' ? file.key : `${place.below}/${file.key}`
  let read = 0
  try {
    const wanted = { key, etag: file.version, range: null }
    const { body } = await buckets.of(accountId).read(place.catalogId, wanted, stop)
    for await (const chunk of body) {
      read += (chunk as Uint8Array).byteLength
      yield chunk as Uint8Array
    }
  } catch (error) {
    if (stop.aborted) throw error
    if (error instanceof OutsideRefused && error.reason === 'changed') throw fileChanged()
    if (error instanceof OutsideRefused && error.reason === 'missing') throw fileGone()
    throw bucketTrouble(place, error)
  }
  if (read !== file.sizeBytes) throw fileChanged()
}
