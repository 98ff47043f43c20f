import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { KEY_PREFIX } from '@boathouse/contract'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const ID_LENGTH = 8
/** 119 random bits, which nobody guesses: a fast hash is enough. */
const RANDOM_LENGTH = 20
const CHECK_LENGTH = 4
const FORM = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${ID_LENGTH + RANDOM_LENGTH + CHECK_LENGTH}}$`)

const randomDigits = (count: number): string =>
  Array.from({ length: count }, () => DIGITS.charAt(randomInt(DIGITS.length))).join('')

/** Scanners recognise a secret by it, and typos are refused before anything is looked up. It keeps nothing secret. */
function checkOf(text: string): string {
  let left = crc32(text)
  let check = ''
  for (let at = 0; at < CHECK_LENGTH; at++) {
    check = DIGITS.charAt(left % DIGITS.length) + check
    left = Math.floor(left / DIGITS.length)
  }
  return check
}

export const newKeyId = (): string => randomDigits(ID_LENGTH)

/** `bh_` and 32 characters: the key's id, what is secret of it, and a check. */
export function newSecret(keyId: string): string {
  const text = KEY_PREFIX + keyId + randomDigits(RANDOM_LENGTH)
  return text + checkOf(text)
}

/** The id in a secret; null where a text is not one. */
export function keyIdIn(text: string): string | null {
  if (!FORM.test(text) || checkOf(text.slice(0, -CHECK_LENGTH)) !== text.slice(-CHECK_LENGTH)) return null
  return text.slice(KEY_PREFIX.length, KEY_PREFIX.length + ID_LENGTH)
}
