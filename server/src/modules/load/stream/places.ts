import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'

type Owner = Pick<Actor, 'accountId' | 'userId'>

/** Loads that arrive or run, at once. */
const MOST = { ofUser: 512, ofAccount: 1_024, inAll: 4_096 }

/** A place for each load, reserved before any of it is read. */
export function createPlaces() {
  const held = new Map<string, number>()
  const add = (key: string, change: 1 | -1): void => {
    const now = (held.get(key) ?? 0) + change
    if (now > 0) held.set(key, now)
    else held.delete(key)
  }

  return {
    /** Gives what gives the place back. */
    reserve({ accountId, userId }: Owner): () => void {
      const places = [
        { key: `user ${userId}`, most: MOST.ofUser, of: ' of one user' },
        { key: `account ${accountId}`, most: MOST.ofAccount, of: ' of one account' },
        { key: 'all', most: MOST.inAll, of: '' },
      ]
      const full = places.find(({ key, most }) => (held.get(key) ?? 0) >= most)
      if (full)
        throw new AppError(
          'LimitReached',
          `${full.most} loads are under way, the maximum${full.of}. Send this one again when some have ended.`,
        )
      for (const { key } of places) add(key, 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        for (const { key } of places) add(key, -1)
      }
    },
  }
}

/** Of one user's loads, this many run at once; the others wait for their turn in the order in which they came. */
const MOST_RUNNING = 8

/** Keeps the loads of a user from taking all slots of a warehouse. */
export function createTurns() {
  const running = new Map<string, number>()
  const waiting = new Map<string, (() => void)[]>()

  return async function inTurn<T>({ userId }: Pick<Owner, 'userId'>, work: () => Promise<T>): Promise<T> {
    const now = running.get(userId) ?? 0
    if (now < MOST_RUNNING) running.set(userId, now + 1)
    else
      await new Promise<void>((resolve) => {
        const queue = waiting.get(userId) ?? []
        queue.push(resolve)
        waiting.set(userId, queue)
      })
    try {
      return await work()
    } finally {
      const next = waiting.get(userId)?.shift()
      if (waiting.get(userId)?.length === 0) waiting.delete(userId)
      // The place is passed on as it is.
      if (next) next()
      else {
        const left = (running.get(userId) ?? 1) - 1
        if (left > 0) running.set(userId, left)
        else running.delete(userId)
      }
    }
  }
}

export type InTurn = ReturnType<typeof createTurns>
