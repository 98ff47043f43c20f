import { createFairQueue } from '../../kernel/fair-queue.ts'
import { addressBlock } from '../../modules/attempt/address-block.ts'

/**
 * Every call asks the database who sends it, and the database answers in the order in which it is asked. So calls are let
 * in a few at a time, the addresses in turn and at each its logins: nobody waits behind all that another has sent. What
 * a call does then may take long, and holds up none of this.
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
