import type { IncomingMessage } from 'node:http'
import type { Actor } from '../../kernel/actor.ts'
import type { KeySignIn } from '../../modules/key/sign-in.ts'
import type { Requester } from '../../modules/query/requester.ts'
import { keyInHeader } from '../http/key-in-header.ts'
import { admitLogin, type LoginDoor } from '../http/signed-request.ts'
import type { ChannelOptions } from './channel.ts'

export interface ChannelAdmission extends LoginDoor {
  readonly authenticateLogin: (loginId: string, clientIp: string, identityVersion?: number) => Promise<Actor>
  readonly signInByKey: KeySignIn['signIn']
  readonly clientIpOf: (request: IncomingMessage) => string
}

export type Admitted = Pick<ChannelOptions, 'actor' | 'now' | 'clientId' | 'clientIp' | 'program'>

/** Whose channel a handshake opens. Throws what it is refused with. */
export function createAdmission(door: ChannelAdmission) {
  /** A program with an API key says so in a header, which browsers cannot send. */
  async function admitKey(request: IncomingMessage, secret: string): Promise<Requester> {
    const address = door.clientIpOf(request)
    const program = request.headers['user-agent'] ?? ''
    return door.loginQueue({ clientIp: address, token: secret }, () =>
      door.signInByKey({ secret, door: 'http', address, program }),
    )
  }

  async function admitSigned(request: IncomingMessage, parameters: URLSearchParams): Promise<Requester> {
    const clientIp = door.clientIpOf(request)
    const parameter = (name: string) => parameters.get(name) ?? undefined
    const { loginId } = await admitLogin(
      {
        token: parameter('token'),
        nonce: parameter('nonce'),
        timestamp: parameter('timestamp'),
        signature: parameter('signature'),
        body: new Uint8Array(),
      },
      clientIp,
      door,
    )
    const now: Requester['now'] = (version) => door.authenticateLogin(loginId, clientIp, version)
    // A rule that came since the login was looked at has found no channel to end.
    return { known: await now(), now }
  }

  return async (request: IncomingMessage): Promise<Admitted> => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const secret = keyInHeader(request.headers)
    const requester =
      secret === null ? await admitSigned(request, searchParams) : await admitKey(request, secret)
    return {
      actor: requester.known,
      now: requester.now,
      clientIp: door.clientIpOf(request),
      clientId: (searchParams.get('client_id') ?? '').slice(0, 128),
      program: secret === null ? undefined : (request.headers['user-agent'] ?? '').slice(0, 128),
    }
  }
}
