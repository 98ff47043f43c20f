import { hmacSha256, toHex } from './sha256.ts'

/** API-07 to API-10. Names of the headers on a call, and of the query parameters on the channel's address. */
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

const encoder = new TextEncoder()

/**
 * API-10, API-11: HMAC-SHA-256 in hex, keyed by the token, over nonce, timestamp and body, a line each. It ties a
 * request's body to the login and makes each request good once and for a short time; it does not replace TLS.
 */
export function sign(parts: SignedParts): string {
  const message = `${parts.nonce}\n${parts.timestamp}\n${parts.body}`
  return toHex(hmacSha256(encoder.encode(parts.token), encoder.encode(message)))
}

export const NONCE_PATTERN = /^[A-Za-z0-9_-]{16,64}$/

export function newNonce(): string {
  return toHex(globalThis.crypto.getRandomValues(new Uint8Array(16)))
}
