import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Names of the headers on a call, and of the query parameters on the channel's address. */
export const SIGNED_HEADERS = {
  token: 'token',
  nonce: 'nonce',
  timestamp: 'timestamp',
  signature: 'signature',
} as const

export interface SignedParts {
  /** Empty before sign-in. */
  readonly token: string
  readonly nonce: string
  /** Milliseconds since 1970, in decimal. */
  readonly timestamp: string
  /** The exact bytes sent; empty for GET and for the channel's address. */
  readonly body: string
}

/**
 * What is signed, by HMAC-SHA-256 in hex with the token as its key. It ties a request's body to the login and makes
 * each request good once and for a short time; it does not replace TLS.
 */
export const textToSign = ({ nonce, timestamp, body }: Omit<SignedParts, 'token'>): string =>
  `${nonce}\n${timestamp}\n${body}`

/**
 * As clients sign. The browser's own HMAC is asynchronous, and absent from pages served without TLS on another host
 * than localhost, where a self-hosted console must work too. The server verifies with the one of its platform.
 */
export const sign = (parts: SignedParts): string =>
  bytesToHex(hmac(sha256, utf8ToBytes(parts.token), utf8ToBytes(textToSign(parts))))

export const NONCE_PATTERN = /^[A-Za-z0-9_-]{16,64}$/

export function newNonce(): string {
  return bytesToHex(globalThis.crypto.getRandomValues(new Uint8Array(16)))
}
