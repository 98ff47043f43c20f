import type { Call, Output, Sent } from '@boathouse/contract/call'
import { encodePassword } from '@boathouse/contract/rules'
import { newNonce } from '@boathouse/contract/signature'
import { user } from '@boathouse/contract/user'
import { createCaller } from './caller.ts'
import { channelAddress } from './channel-address.ts'
import { systemClock } from './clock.ts'

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

const callerOf = ({ url, token }: { url: string; token: string | null }) =>
  createCaller({
    fetch: (address, init) => globalThis.fetch(address, init),
    clock: systemClock,
    token: () => token,
    host: () => new URL(url).origin,
  })

/** Makes a call; rejects with a CallError when it is refused or gets no answer. */
export const callAs = <C extends Call>(login: Login, call: C, input: Sent<C>): Promise<Output<C>> =>
  callerOf(login)(call, input)

export async function signIn({ url, accountId, username, password }: SignIn): Promise<Login> {
  const input = { accountId, username, password: encodePassword(password) }
  const { token } = await callerOf({ url, token: null })(user.login, input)
  return { url, token }
}

/** Good for one try to open a channel. */
export const addressOf = ({ url, token }: Login): string =>
  channelAddress({ host: url, token, clientId: newNonce(), now: systemClock.now() })
