import { newNonce, sign, SIGNED_HEADERS } from '@boathouse/contract/signature'

/** Headers of a call, or parameters of the channel's address. Valid once, for a few minutes. */
export function signedHeaders(token: string, body: string, now: number): Record<string, string> {
  const parts = { token, nonce: newNonce(), timestamp: String(now), body }
  return {
    [SIGNED_HEADERS.token]: token,
    [SIGNED_HEADERS.nonce]: parts.nonce,
    [SIGNED_HEADERS.timestamp]: parts.timestamp,
    [SIGNED_HEADERS.signature]: sign(parts),
  }
}
