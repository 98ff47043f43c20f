import { constants, createPublicKey, generateKeyPair, privateDecrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { malformed } from '../wire/protocol-error.ts'

interface KeyPair {
  readonly publicKey: string
  readonly privateKey: string
}

let made: Promise<KeyPair> | null = null

/** For clients without TLS. It is made when the first of them needs it, and lives as long as the process. */
const keyPair = (): Promise<KeyPair> =>
  (made ??= promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }))

export async function publicKeyPem(): Promise<string> {
  const { publicKey } = await keyPair()
  return createPublicKey(publicKey).export({ type: 'spki', format: 'pem' }).toString()
}

/** A password that was mixed with the nonce and encrypted with the public key. */
export async function decryptPassword(encrypted: Buffer, nonce: Buffer): Promise<string> {
  const { privateKey } = await keyPair()
  let mixed: Buffer
  try {
    mixed = privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING }, encrypted)
  } catch {
    throw malformed()
  }
  return withoutZero(mixed.map((byte, at) => byte ^ (nonce[at % nonce.length] ?? 0)))
}

/** A password that was sent as it is, with a zero behind it. */
export function withoutZero(password: Uint8Array): string {
  const bytes = Buffer.from(password)
  return bytes.subarray(0, bytes.at(-1) === 0 ? -1 : undefined).toString('utf8')
}
