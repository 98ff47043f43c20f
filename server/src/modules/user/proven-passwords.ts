import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
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
  /** For `takeScramble`; null where the password never came by a door that has scrambles. */
  readonly twiceHashed: Buffer | null
}

/** What a client of caching_sha2_password sends instead of its password: that, made unreadable with the nonce it was given. */
export interface Scramble {
  readonly scramble: Uint8Array
  readonly nonce: Uint8Array
}

const SCRAMBLE_BYTES = 32
const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** What is needed to check a scramble, and is as good as the password for that one protocol. */
export const twiceHashedOf = (password: string): Buffer => sha256(sha256(Buffer.from(password)))

/** SHA256(password) XOR SHA256(SHA256(SHA256(password)) + nonce) */
export function fitsScramble({ scramble, nonce }: Scramble, twiceHashed: Buffer): boolean {
  if (scramble.length !== SCRAMBLE_BYTES) return false
  const mask = sha256(twiceHashed, nonce)
  const once = Uint8Array.from(scramble, (byte, at) => byte ^ (mask[at] ?? 0))
  return timingSafeEqual(sha256(once), twiceHashed)
}

/**
 * Passwords that were right not long ago, by user and address. No password is kept: a proof is an HMAC of it, under a key
 * that is made with this object and never leaves it.
 */
export function createProvenPasswords({ clock, most = MOST_KNOWN }: { clock: Clock; most?: number }) {
  const key = randomBytes(32)
  const known = new BoundedMap<Known>(most)
  const isOver = ({ until }: Known): boolean => until <= clock.now().getTime()

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
      if (!isOver(found) && timingSafeEqual(found.proof, proof)) return found
      known.delete(place)
      return null
    },

    /** The same by a scramble. One that does not fit ends what is known, as a wrong password does. */
    takeScramble(place: string, scramble: Scramble): Proven | null {
      const found = known.get(place)
      if (!found?.twiceHashed) return null
      if (!isOver(found) && fitsScramble(scramble, found.twiceHashed)) return found
      known.delete(place)
      return null
    },

    keep(place: string, proof: Buffer, { userId, passwordHash }: Proven): void {
      const until = clock.now().getTime() + KNOWN_MS
      known.set(place, { userId, passwordHash, proof, until, twiceHashed: null }, 1)
    },

    /** From now on a scramble of the same password will do, as long as the password itself would. */
    allowScramble(place: string, twiceHashed: Buffer): void {
      const found = known.get(place)
      if (found) known.set(place, { ...found, twiceHashed }, 1)
    },

    /** It is not theirs any more. */
    end: (place: string): void => known.delete(place),
  }
}
