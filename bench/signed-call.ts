import { randomUUID } from 'node:crypto'
import {
  API_PREFIX,
  CHANNEL_PATH,
  CODES,
  Envelope,
  SIGNED_HEADERS,
  encodePassword,
  newNonce,
  sign,
  user,
  type Call,
  type Output,
  type Sent,
} from '@boathouse/contract'

export interface SignIn {
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string
  readonly accountId: string
  readonly username: string
  readonly password: string
}

/** Somebody who is signed in. */
export interface Login {
  readonly url: string
  readonly token: string
}

function signedParts(token: string, body: string): Record<string, string> {
  const parts = { token, nonce: newNonce(), timestamp: String(Date.now()), body }
  return {
    [SIGNED_HEADERS.token]: token,
    [SIGNED_HEADERS.nonce]: parts.nonce,
    [SIGNED_HEADERS.timestamp]: parts.timestamp,
    [SIGNED_HEADERS.signature]: sign(parts),
  }
}

/** Rejects with the service's own words when the call is refused. */
export async function callProduct<C extends Call>(
  { url, token }: Login,
  call: C,
  input: Sent<C>,
): Promise<Output<C>> {
  const body = JSON.stringify(input)
  const response = await fetch(new URL(API_PREFIX + call.path, url), {
    method: call.method,
    headers: { 'content-type': 'application/json', ...signedParts(token, body) },
    body,
  })
  const { code, message, data } = Envelope.parse(await response.json())
  if (code !== CODES.Ok.code) throw new Error(`${call.path} was refused: ${message} (code ${code})`)
  return call.output.parse(data) as Output<C>
}

export async function signIn({ url, accountId, username, password }: SignIn): Promise<Login> {
  const input = { accountId, username, password: encodePassword(password) }
  return { url, token: (await callProduct({ url, token: '' }, user.login, input)).token }
}

/** Good for one try to open a channel. */
export function channelAddress({ url, token }: Login): string {
  const address = new URL(CHANNEL_PATH, url)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  address.search = new URLSearchParams({ client_id: randomUUID(), ...signedParts(token, '') }).toString()
  return address.href
}
