import { addressBlock } from '../attempt/address-block.ts'

export const minuteOf = (at: Date): string => at.toISOString().slice(0, 16)

/** What makes two sign-ins one entry of the log: the same person, from the same place, in the same minute. */
export const bucketOf = (
  at: Date,
  { who, clientIp, method, outcome }: Record<'who' | 'clientIp' | 'method' | 'outcome', string>,
): string => [minuteOf(at), outcome, method, addressBlock(clientIp), who.toLowerCase()].join(' ')
