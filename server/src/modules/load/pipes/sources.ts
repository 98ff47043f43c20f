import type { Actor } from '../../../kernel/actor.ts'
import type { FilePlace, FilePlaces } from '../../schema/catalogs/file-places.ts'
import { bucketBytes, bucketPages, type BucketReader } from './bucket-source.ts'
import { folderBytes, folderPages } from './folder-source.ts'
import type { SourceFile } from './source-file.ts'

export interface SourceParts {
  /** What somebody may read by its path. */
  readonly places: FilePlaces
  readonly buckets: BucketReader
}

/** A folder or a part of a bucket that an actor may read, as of now. */
export interface Source {
  /** All files that are meant, page by page. Throws a `SourceTrouble`. */
  pages(stop: AbortSignal): AsyncGenerator<readonly SourceFile[]>
  /** Of the content that was listed. Throws a `SourceTrouble`. */
  bytes(file: SourceFile, stop: AbortSignal): AsyncGenerator<Uint8Array>
  /** Its name behind the place, of a file that was listed before. */
  keyOf(path: string): string
  /** Files come whole, or are written to while they are there. */
  readonly isWhole: boolean
}

/** Where pipes take files from. */
export function createSources({ places, buckets }: SourceParts) {
  const sourceAt = (accountId: string, place: FilePlace): Source => ({
    pages: (stop) =>
      place.kind === 'folder' ? folderPages(place, stop) : bucketPages(buckets, { accountId, place }, stop),
    bytes: (file, stop) =>
      place.kind === 'folder'
        ? folderBytes(place, file, stop)
        : bucketBytes(buckets, { accountId, place, file }, stop),
    keyOf: (path) => path.slice(place.prefix.length),
    isWhole: place.kind === 'bucket',
  })

  return {
    open: places.open,
    /** Throws when the actor may not read there. */
    find: async (actor: Actor, path: string): Promise<Source> =>
      sourceAt(actor.accountId, await places.find(actor, path)),
  }
}

export type Sources = ReturnType<typeof createSources>
