import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { createLane } from '../../kernel/lane.ts'

/** argon2id, 19 MiB, two passes: the PHC string carries the parameters, so they can be raised later. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A hash takes a core for tens of milliseconds, on a thread of its own: one core at least is left to the rest. */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1))
const lane = createLane({ atOnce, queued: 500, queuedForOne: 500 })

export const hashPassword = (password: string): Promise<string> => lane('', () => hash(password, PARAMETERS))

/** Somebody unknown, or without a password yet, costs as much time as a wrong one: nobody can tell them apart. */
let decoy: Promise<string> | undefined
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  decoy ??= hash('nobody has this password', PARAMETERS)
  const ofNobody = await decoy
  const matches = await lane('', () => verify(stored ?? ofNobody, password))
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
