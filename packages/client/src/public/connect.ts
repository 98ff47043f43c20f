import type { Call } from '@boathouse/contract/call'
import { encodePassword } from '@boathouse/contract/rules'
import { newNonce } from '@boathouse/contract/signature'
import { CHANNEL_PATH } from '@boathouse/contract/realtime'
import { createCaller } from '../caller.ts'
import { isCallError } from '../call-error.ts'
import { channelAddress } from '../channel-address.ts'
import { systemClock } from '../clock.ts'
import { signedHeaders } from '../signed-headers.ts'
import { type Api, createApi } from './api.ts'
import { CallError } from './errors.ts'
import { createLine } from './line.ts'
import { beginSession, type NamedSession } from './begin-session.ts'
import type { Session, SessionOptions } from './session.ts'

interface Server {
  /** As in `https://boathouse.example.com`. */
  readonly url: string
  /** What connects, for the lists of sign-ins and the history. */
  readonly program?: string | undefined
}

export interface KeyConnection extends Server {
  /** The secret of an API key: `bh_…`. */
  readonly key: string
}

export interface PasswordConnection extends Server {
  /** As in `ABC12345`. */
  readonly account: string
  readonly user: string
  readonly password: string
}

export type ConnectOptions = KeyConnection | PasswordConnection

/** Somebody who is signed in. */
export interface Client {
  /** The origin of the server. */
  readonly url: string
  readonly account: string
  readonly user: string
  /** Every call of the reference, such as `api.warehouse.list()`. Rejects with a CallError. */
  readonly api: Api
  /** Opens a connection for statements. Rejects when its warehouse, catalog or database is not there. */
  session(options?: SessionOptions): Promise<Session>
  /** Ends all sessions and, if it began with a password, the sign-in. */
  close(): Promise<void>
}

function originOf(url: string): string {
  if (!URL.canParse(url) || !/^https?:\/\//i.test(url))
    throw new TypeError(
      `'${url}' is not the address of a server. Write it as http://host:port or https://host.`,
    )
  return new URL(url).origin
}

/** How requests say who sends them. */
interface Identity {
  readonly headers: (body: string) => Record<string, string>
  readonly channelUrl: () => string
  readonly channelHeaders: Record<string, string>
}

const byKey = (origin: string, key: string): Identity => {
  const headers = { authorization: `Bearer ${key}` }
  const url = new URL(CHANNEL_PATH, origin)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.search = new URLSearchParams({ client_id: newNonce() }).toString()
  return { headers: () => headers, channelUrl: () => url.href, channelHeaders: headers }
}

const byToken = (origin: string, token: string): Identity => ({
  headers: (body) => signedHeaders(token, body, systemClock.now()),
  channelUrl: () => channelAddress({ host: origin, token, clientId: newNonce(), now: systemClock.now() }),
  channelHeaders: {},
})

function apiOf(origin: string, identity: Identity, program: string): Api {
  const ask = createCaller({
    fetch: (address, init) => globalThis.fetch(address, init),
    clock: systemClock,
    token: () => null,
    headers: (body) => ({ ...identity.headers(body), 'user-agent': program }),
    host: () => origin,
  })
  return createApi(async (call: Call, input, options) => {
    try {
      return await ask(call, input as never, options)
    } catch (error) {
      if (!isCallError(error)) throw error
      const { codeName, code, message, cause } = error
      throw new CallError({ codeName, code, message, cause, path: call.path })
    }
  })
}

const OUR_NAME = 'boathouse-client'

/** Signs in. Rejects with a CallError: LoginFailed for a wrong password or key, NetworkError if nobody answers. */
export async function connect(options: ConnectOptions): Promise<Client> {
  const origin = originOf(options.url)
  const { program = OUR_NAME } = options
  if ('key' in options) return clientOf({ origin, program, identity: byKey(origin, options.key) })
  const { account, user, password } = options
  const stranger = apiOf(origin, byToken(origin, ''), program)
  const sent = { accountId: account, username: user, password: encodePassword(password) }
  const { token } = await stranger.user.login(sent)
  return clientOf({ origin, program, identity: byToken(origin, token), hasLogin: true })
}

interface ClientParts {
  readonly origin: string
  readonly program: string
  readonly identity: Identity
  /** It ends with the client. */
  readonly hasLogin?: boolean
}

async function clientOf({ origin, program, identity, hasLogin = false }: ClientParts): Promise<Client> {
  const api = apiOf(origin, identity, program)
  const info = await api.user.info()
  const sessions = new Set<NamedSession>()
  const line = createLine({
    url: identity.channelUrl,
    headers: { ...identity.channelHeaders, 'user-agent': program },
    connections: () => [...sessions].map((session) => session.connId()),
  })
  return {
    url: origin,
    account: info.accountId,
    user: info.user,
    api,
    async session(options = {}) {
      const channel = await line.open()
      const session: NamedSession = await beginSession({
        channel,
        api,
        options,
        closed: () => sessions.delete(session),
      })
      sessions.add(session)
      return session
    },
    async close() {
      for (const session of sessions) session.close()
      line.close()
      if (hasLogin) await api.user.logout()
    },
  }
}
