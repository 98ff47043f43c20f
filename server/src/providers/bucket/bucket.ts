import type { ObjectPage, ReadObject, WantedObject } from '../../kernel/outside.ts'
import type { Keys } from './signature.ts'

/** A part of a bucket, and the keys to it. */
export interface BucketPlace extends Keys {
  /** Such as https://storage.example.com; empty: that of AWS for the region. */
  readonly endpoint: string
  readonly bucket: string
  /** Nothing beside it is ever listed or read. Without a slash at its ends; empty: the whole bucket. */
  readonly prefix: string
}

/** Reads buckets. Everything rejects with an `OutsideRefused`. */
export interface Buckets {
  list(place: BucketPlace, after: string | null, stop: AbortSignal): Promise<ObjectPage>
  read(place: BucketPlace, wanted: WantedObject, stop: AbortSignal): Promise<ReadObject>
}
