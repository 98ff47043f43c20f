import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'

/** On their way in or being read, at once: each is held in memory as a whole. */
const MOST = { ofUser: 6, ofAccount: 24, inAll: 96 }

/** A place for each large body, reserved before any of it is read. */
export function createLargeBodies() {
  const held = new Map<string, number>()
  const count = (key: string, change: 1 | -1): void => {
    const now = (held.get(key) ?? 0) + change
    if (now > 0) held.set(key, now)
    else held.delete(key)
  }

  return {
    /** Answers what gives the place back. */
    reserve({ accountId, userId }: Pick<Actor, 'accountId' | 'userId'>): () => void {
      const places = [
        { key: `user ${userId}`, most: MOST.ofUser },
        { key: `account ${accountId}`, most: MOST.ofAccount },
        { key: 'all', most: MOST.inAll },
      ]
      const full = places.find(({ key, most }) => (held.get(key) ?? 0) >= most)
      if (full)
        throw new AppError(
          'TooManyAttempts',
          `${full.most} large requests are already being received, which is the maximum${full.key === 'all' ? '' : ` of one ${full.key.split(' ', 1)[0]}`}. Send this one when some were answered.`,
        )
      for (const { key } of places) count(key, 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        for (const { key } of places) count(key, -1)
      }
    },
  }
}

export type LargeBodies = ReturnType<typeof createLargeBodies>
