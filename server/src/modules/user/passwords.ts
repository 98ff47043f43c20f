import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'

/** argon2id, 19 MiB, two passes: the PHC string carries the parameters, so they can be raised later. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, PARAMETERS)

/** An unknown user costs as much time as a wrong password, so that neither can be told from the other. */
let decoy: Promise<string> | undefined
export async function verifyPassword(password: string, stored: string | undefined): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const matches = await verify(stored ?? (await decoy), password)
  return matches && stored !== undefined
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
