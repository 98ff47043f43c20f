import type { SignInDoor } from '@boathouse/contract'
import { addressBlock } from '../attempt/address-block.ts'

export const minuteOf = (at: Date): string => at.toISOString().slice(0, 16)

interface BucketParts {
  readonly who: string
  readonly clientIp: string
  readonly method: string
  readonly outcome: string
  readonly door?: SignInDoor
}

/** What makes two sign-ins one entry of the log: the same person, from the same place, by the same door, in the same minute. */
export const bucketOf = (
  at: Date,
  { who, clientIp, method, outcome, door = 'console' }: BucketParts,
): string => [minuteOf(at), outcome, door, method, addressBlock(clientIp), who.toLowerCase()].join(' ')
