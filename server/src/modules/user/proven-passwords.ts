import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import type { Clock } from '../../kernel/clock.ts'

/** A password that was right is not hashed again for this long: the cost is paid by pools of programs once. */
const KNOWN_MS = 10 * 60_000
/** Users at addresses. */
const MOST_KNOWN = 10_000

/** Whose password was right, and which one it was: the hash changes with every change of the password. */
export interface Proven {
  readonly userId: string
  readonly passwordHash: string
}

interface Known extends Proven {
  readonly proof: Buffer
  readonly until: number
}

/**
 * Passwords that were right not long ago, by user and address. No password is kept: a proof is an HMAC of it, under a key
 * that is made with this object and never leaves it.
 */
export function createProvenPasswords({ clock, most = MOST_KNOWN }: { clock: Clock; most?: number }) {
  const key = randomBytes(32)
  const known = new BoundedMap<Known>(most)

  return {
    /** Of a password, for one user at one address and no other. */
    proofOf: (place: string, password: string): Buffer =>
      createHmac('sha256', key)
        .update(JSON.stringify([place, password]))
        .digest(),

    /**
     * Who has proved it before; null where that has to be done again. A wrong one ends what is known, since it would not be
     * counted here: others at the same address could guess as often as they like, and be let in with the right one.
     */
    take(place: string, proof: Buffer): Proven | null {
      const found = known.get(place)
      if (!found) return null
      if (found.until > clock.now().getTime() && timingSafeEqual(found.proof, proof)) return found
      known.delete(place)
      return null
    },

    keep(place: string, proof: Buffer, { userId, passwordHash }: Proven): void {
      known.set(place, { userId, passwordHash, proof, until: clock.now().getTime() + KNOWN_MS }, 1)
    },

    /** It is not theirs any more. */
    end: (place: string): void => known.delete(place),
  }
}
