import { LIMITS } from '@boathouse/contract'

interface Holder {
  readonly accountId: string
  readonly userId: string
}

/** Why this holder cannot open one more channel, in at most the 123 bytes that a close can carry, or null. */
export function fullness(holder: Holder, open: Iterable<Holder>): string | null {
  let ofAccount = 0
  let ofUser = 0
  for (const channel of open) {
    if (channel.accountId !== holder.accountId) continue
    ofAccount++
    if (channel.userId === holder.userId) ofUser++
  }
  if (ofUser >= LIMITS.channelsPerUser)
    return `You have ${ofUser} open channels, the maximum. Close windows of the console.`
  if (ofAccount >= LIMITS.channelsPerAccount)
    return `This account has ${ofAccount} open channels, the maximum. Close consoles that are not in use.`
  return null
}
