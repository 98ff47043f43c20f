import { SHA2, type SignedIn, newNonce, signIn } from './auth/sign-in.ts'
import type { Client } from './client.ts'
import { type Compression, hasZstd } from './wire/compression.ts'
import { CAN } from './wire/flags.ts'
import { greetingPacket, offeredCapabilities } from './wire/greeting.ts'
import { type Login, readLogin, readLoginHead } from './wire/login-packet.ts'
import { FatalProtocolError, ProtocolError } from './wire/protocol-error.ts'

export interface Handshake extends SignedIn {
  readonly login: Login
}

/** From the greeting until the server has said who the client is. */
export async function handshake(client: Client): Promise<Handshake> {
  const { settings, transport, number, secureContext } = client
  const nonce = newNonce()
  const offered = offeredCapabilities({
    localFiles: settings.allowsLocalFiles,
    zstd: hasZstd,
    tls: secureContext !== null,
  })
  const greeting = {
    version: settings.version,
    connection: number,
    nonce,
    capabilities: offered,
    plugin: SHA2,
  }
  const login = await readFirst(client, greetingPacket(greeting), offered)
  if (settings.requiresTls && !transport.isSecure && !transport.isOnThisMachine) throw tlsRequired()
  return { login, ...(await signIn(client, login, nonce)) }
}

/** The login, and TLS before it where the client wants it. What a client cannot do here it is not taken to do. */
async function readFirst(client: Client, greeting: Buffer, offered: number): Promise<Login> {
  const { transport, secureContext } = client
  try {
    let packet = await client.ask(greeting)
    if (readLoginHead(packet).asksForTls && secureContext) {
      await transport.startTls(secureContext)
      packet = await transport.reader.next()
    }
    const login = readLogin(packet)
    return { ...login, capabilities: (login.capabilities & offered) >>> 0 }
  } catch (error) {
    if (error instanceof ProtocolError && !(error instanceof FatalProtocolError)) throw badHandshake()
    throw error
  }
}

export function compressionOf(capabilities: number): Compression | null {
  if (capabilities & CAN.compress) return 'zlib'
  return capabilities & CAN.zstd ? 'zstd' : null
}

function badHandshake(): FatalProtocolError {
  return new FatalProtocolError('bad-handshake', { code: 1043, sqlState: '08S01', message: 'Bad handshake' })
}

function tlsRequired(): FatalProtocolError {
  return new FatalProtocolError('tls-required', {
    code: 3159,
    sqlState: 'HY000',
    message: 'Connections without TLS are not allowed here: use --ssl, or sslMode=REQUIRED.',
  })
}
