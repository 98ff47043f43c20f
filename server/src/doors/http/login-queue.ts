import { createFairQueue } from '../../kernel/fair-queue.ts'
import { addressBlock } from '../../modules/attempt/address-block.ts'

/**
 * Every call queries the database for its sender, and the database answers in order. So only a few calls start at a
 * time, fair to addresses and then to logins: nobody waits behind everything that another client has sent. Afterwards a
 * call can take long without holding up others.
 */
const WIDTH = {
  atOnce: 4,
  ranks: {
    call: {
      places: 20_000,
      shares: [
        { most: 4_000, of: 'from your address' },
        { most: 1_000, of: 'of this login' },
      ],
    },
  },
}

export function createLoginQueue() {
  const queue = createFairQueue(WIDTH)
  return <T>({ clientIp, token }: { clientIp: string; token: string }, work: () => Promise<T>): Promise<T> =>
    queue({ rank: 'call', path: [addressBlock(clientIp), token] }, work)
}

export type LoginQueue = ReturnType<typeof createLoginQueue>
