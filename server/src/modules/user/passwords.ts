import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import type { Actor } from '../../kernel/actor.ts'
import { createFairQueue, type Priority } from '../../kernel/fair-queue.ts'
import { addressBlock } from '../attempt/address-block.ts'

/** argon2id, 19 MiB, two passes: the PHC string carries the parameters, so they can be raised later. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A hash takes a core for tens of milliseconds, on a thread of its own: one core at least is left to the rest. */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1))

/** A user who signs in has proved nothing yet, so the queue is fair by address: names of accounts can be made up. */
const SIGNING_IN = {
  places: 500,
  shares: [
    { most: 64, of: 'from your address' },
    { most: 64, of: 'of this account' },
    { most: 12, of: 'of this user' },
  ],
}
const OF_PEOPLE = {
  places: 500,
  shares: [
    { most: 60, of: 'of this account' },
    { most: 20, of: 'of yours' },
  ],
}

const queue = createFairQueue({
  atOnce,
  ranks: {
    /** Who signed in from the same address before: strangers who guess do not hold them up. */
    knownSignIn: SIGNING_IN,
    signIn: SIGNING_IN,
    /** Passwords that people choose for themselves or, as administrators, for others. */
    administration: OF_PEOPLE,
  },
})

/** Whose priority it is to have a password hashed. */
export type PasswordPriority = Priority<'knownSignIn' | 'signIn' | 'administration'>

export interface SigningIn {
  readonly clientIp: string
  /** As the user typed it; empty if there is no account yet. */
  readonly accountId: string
  readonly user: string
  readonly isKnown?: boolean
}

export const signingIn = ({ clientIp, accountId, user, isKnown = false }: SigningIn): PasswordPriority => ({
  rank: isKnown ? 'knownSignIn' : 'signIn',
  path: [addressBlock(clientIp), accountId, user.toLowerCase()],
})

export const administering = ({
  accountId,
  userId,
}: Pick<Actor, 'accountId' | 'userId'>): PasswordPriority => ({
  rank: 'administration',
  path: [accountId, userId],
})

/** The operator's, and what the first start needs: on this machine, and one at a time. */
export const BY_OPERATOR: PasswordPriority = { rank: 'administration', path: ['', 'operator'] }

export const hashPassword = (password: string, priority: PasswordPriority): Promise<string> =>
  queue(priority, () => hash(password, PARAMETERS))

/** Somebody unknown, or without a password yet, costs as much time as a wrong one: nobody can tell them apart. */
let decoy: Promise<string> | undefined
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
  priority: PasswordPriority,
): Promise<boolean> {
  decoy ??= hash('nobody has this password', PARAMETERS)
  const ofNobody = await decoy
  const matches = await queue(priority, () => verify(stored ?? ofNobody, password))
  return matches && typeof stored === 'string'
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const DIGITS = '23456789'
const SYMBOLS = '!@#$%^&*_'

const pick = (from: string): string => from.charAt(randomInt(from.length))

/** 16 characters that fit the rule and are not mistaken for one another: about 84 bits. */
export function generatePassword(): string {
  const body = Array.from({ length: 13 }, () => pick(LETTERS + DIGITS)).join('')
  return `${pick(LETTERS)}${body}${pick(SYMBOLS)}${pick(DIGITS)}`
}
