import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

export const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

export interface SealingKey {
  /** Part of every value that the key sealed, so that keys can be changed. */
  readonly id: string
  readonly bytes: Buffer
}

export const sealingKey = (bytes: Buffer): SealingKey => ({
  id: createHash('sha256').update(bytes).digest('hex').slice(0, 8),
  bytes,
})

export interface Sealer {
  /** The place is where the value is kept, as in `mail 17`: moved elsewhere, it cannot be opened. */
  seal(text: string, place: string): string
  open(sealed: string, place: string): string
  /** With which every value begins that was sealed by the newest key. */
  readonly newestPrefix: string
}

/**
 * Secrets at rest: AES-256-GCM, written as `v1.<key id>.<nonce, tag and text>`. @param keys The newest first: it seals.
 * All of them open.
 */
export function createSealer(keys: readonly [SealingKey, ...SealingKey[]]): Sealer {
  const [newest] = keys
  const newestPrefix = `v1.${newest.id}.`

  return {
    newestPrefix,

    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', newest.bytes, nonce).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${newestPrefix}${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },

    open(sealed, place) {
      const [version, id, text = ''] = sealed.split('.')
      const key = keys.find((one) => one.id === id)
      if (version !== 'v1' || !key)
        throw new Error(
          `A secret was encrypted with the key ${id}, which this server does not have. ` +
            'Add it to BOATHOUSE_SECRET_KEY or to the key file, after the newest key.',
        )
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}
