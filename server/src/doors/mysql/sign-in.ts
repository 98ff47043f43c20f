import { throughEndpoint } from '../../kernel/client-address.ts'
import type { ClientConnection } from '../../modules/query/connections/client-connection.ts'
import type { Queries } from '../../modules/query/service.ts'
import type { PlainSignIn, ProgramFrom, SignedInProgram } from '../../modules/user/plain-sign-in.ts'
import type { PrivateArrival } from '../../modules/vpce/approved.ts'
import { readDatabase } from './database-name.ts'
import type { ToServer } from './link/messages.ts'
import { programOf } from './program.ts'
import { firstVariables } from './session-state.ts'

export interface SignInParts {
  readonly plainSignIn: PlainSignIn
  readonly connections: Pick<Queries['connections'], 'open'>
  readonly allowsLocalFiles: boolean
  /** On which the endpoint listens. */
  readonly port: () => number
  /** The endpoint that a client of a private link came through; null: none that leads anywhere. */
  readonly endpointOf: (arrival: PrivateArrival) => string | null
}

type Asked = Extract<ToServer, { readonly kind: 'sign-in' }>

export interface SignedInClient {
  readonly identity: SignedInProgram
  readonly address: string
  readonly connection: ClientConnection
}

/** Null: the scramble proves nothing here, and the password itself is needed. */
export type SignInClient = (asked: Asked) => Promise<SignedInClient | null>

/** How a client proves who it is, and the connection that it is given: in its database, and with its warehouse. */
export function createSignIn(parts: SignInParts): SignInClient {
  const { plainSignIn, connections, allowsLocalFiles, port } = parts
  function prove(from: ProgramFrom, { user: name, proof }: Asked): Promise<SignedInProgram | null> {
    switch (proof.kind) {
      case 'password':
        return plainSignIn.signIn(from, { name, password: proof.password })
      case 'sha2-scramble':
        return plainSignIn.signInByScramble(from, { name, scramble: proof.scramble, nonce: proof.nonce })
      case 'native-scramble':
        return plainSignIn.signInByNative(from, { name, scramble: proof.scramble, nonce: proof.nonce })
    }
  }

  function addressOf({ address: ip, privateLink }: Asked): string {
    if (!privateLink) return ip
    return throughEndpoint(ip, parts.endpointOf({ ip, endpointId: privateLink.endpointId }))
  }

  return async (asked) => {
    const { client, attributes, database, collation } = asked
    const address = addressOf(asked)
    const program = programOf(attributes)
    const from = { door: 'mysql', clientIp: address, ...(program !== undefined && { program }) } as const
    const identity = await prove(from, asked)
    if (!identity) return null
    const variables = {
      ...firstVariables(collation),
      port: String(port()),
      ...(!allowsLocalFiles && { local_infile: '0' }),
    }
    const door = { door: 'mysql', program, id: client, variables } as const
    const connection = await connections.open(identity, door, address)
    try {
      const { warehouse } = attributes
      if (warehouse) await connection.moveTo({ warehouse })
      if (database !== '') await connection.moveTo(readDatabase(database))
    } catch (error) {
      await connection.close()
      throw error
    }
    return { identity, address, connection }
  }
}
