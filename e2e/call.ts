import {
  API_PREFIX,
  type Call,
  Envelope,
  encodePassword,
  newNonce,
  type Output,
  type Sent,
  sign,
  SIGNED_HEADERS,
  user,
} from '@boathouse/contract'
import type { Product } from './product.ts'

/** API-08 to API-10: good once, for a few minutes. */
export function signedParts(token: string, body: string): Record<string, string> {
  const parts = { token, nonce: newNonce(), timestamp: String(Date.now()), body }
  return {
    [SIGNED_HEADERS.token]: token,
    [SIGNED_HEADERS.nonce]: parts.nonce,
    [SIGNED_HEADERS.timestamp]: parts.timestamp,
    [SIGNED_HEADERS.signature]: sign(parts),
  }
}

/** Makes a call of the contract as any client over HTTP does. */
export async function call<C extends Call>(
  url: string,
  { path, method }: C,
  { input, token = '' }: { input: Sent<C>; token?: string },
): Promise<{ code: number; message: string; data: Output<C> }> {
  const body = JSON.stringify(input)
  const response = await fetch(new URL(API_PREFIX + path, url), {
    method,
    headers: { 'content-type': 'application/json', ...signedParts(token, body) },
    body,
  })
  return Envelope.parse(await response.json()) as { code: number; message: string; data: Output<C> }
}

export const logIn = (product: Product, password = product.password) =>
  call(product.url, user.login, {
    input: { accountId: product.accountId, username: product.user, password: encodePassword(password) },
  })
