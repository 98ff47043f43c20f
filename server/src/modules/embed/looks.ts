import { AppError } from '../../kernel/app-error.ts'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Clock } from '../../kernel/clock.ts'
import { createFairQueue } from '../../kernel/fair-queue.ts'
import { addressBlock } from '../attempt/address-block.ts'

/** Who looks, through which link. */
export interface Look {
  readonly accountId: string
  readonly embedId: string
  readonly clientIp: string
}

/** However many look, they take few places of those who have a sign-in. */
const WIDTH = {
  atOnce: 4,
  ranks: {
    look: {
      places: 1_000,
      shares: [
        { most: 400, of: 'of this account' },
        { most: 200, of: 'of this link' },
        { most: 100, of: 'from your address' },
      ],
    },
  },
}

const MINUTE_MS = 60_000
/** A page of 40 tiles asks 41 times when it is opened, and once a minute from then on. */
const MOST_OF_LINK = 6_000
const MOST_OF_ADDRESS = 1_200
const REMEMBERED = 20_000

/** What is asked through links: so many times in a minute, and a few at once. */
export function createLooks(clock: Clock) {
  const queue = createFairQueue(WIDTH)
  const counted = new BoundedMap<{ readonly minute: number; count: number }>(REMEMBERED)

  function count(key: string, most: number): void {
    const minute = Math.floor(clock.now().getTime() / MINUTE_MS)
    const known = counted.get(key)
    const window = known?.minute === minute ? known : { minute, count: 0 }
    if (window.count >= most)
      throw new AppError('TooManyAttempts', 'This link is opened too often. Wait a minute, then try again.')
    window.count++
    counted.set(key, window, 1)
  }

  return async <T>({ accountId, embedId, clientIp }: Look, work: () => Promise<T>): Promise<T> => {
    const block = addressBlock(clientIp)
    count(`${embedId} ${block}`, MOST_OF_ADDRESS)
    count(embedId, MOST_OF_LINK)
    return queue({ rank: 'look', path: [accountId, embedId, block] }, work)
  }
}

export type Looks = ReturnType<typeof createLooks>
