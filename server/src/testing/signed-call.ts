import { API_PREFIX, type Call, newNonce, type Sent, SIGNED_HEADERS, sign } from '@boathouse/contract'

export interface SignedCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Record<string, string>
  readonly payload?: string
}

/** A call as the console would send it; a test may then spoil any part. */
export function signedCall<C extends Call>(
  call: C,
  input: Sent<C>,
  options: { token: string; now: Date },
): SignedCall {
  const body = call.method === 'GET' ? '' : JSON.stringify(input)
  const parts = { token: options.token, nonce: newNonce(), timestamp: String(options.now.getTime()), body }
  return {
    method: call.method,
    url: API_PREFIX + call.path,
    headers: {
      ...(body ? { 'content-type': 'application/json' } : {}),
      [SIGNED_HEADERS.token]: parts.token,
      [SIGNED_HEADERS.nonce]: parts.nonce,
      [SIGNED_HEADERS.timestamp]: parts.timestamp,
      [SIGNED_HEADERS.signature]: sign(parts),
    },
    ...(body ? { payload: body } : {}),
  }
}
