import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** So many random bits are not guessed: a fast hash is enough. */
const BYTES = 32

export const newEmbedKey = (): string => randomBytes(BYTES).toString('base64url')

export const hashOfEmbedKey = (key: string): Buffer => createHash('sha256').update(key).digest()

export const fitsEmbedKey = (key: string, hash: Buffer): boolean => timingSafeEqual(hashOfEmbedKey(key), hash)
