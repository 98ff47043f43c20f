import { charsetOf, decodeText } from './charsets.ts'
import { CAN } from './flags.ts'
import { PayloadReader } from './payload-reader.ts'
import { FatalProtocolError, malformed } from './protocol-error.ts'

/** How a client can do things, and what it is: the first part of its login, which comes before TLS too. */
export interface LoginHead {
  readonly capabilities: number
  readonly collation: number
}

export interface Login extends LoginHead {
  readonly user: string
  readonly authData: Buffer
  readonly database: string
  /** Empty for a client that knows none. */
  readonly plugin: string
  readonly attributes: Readonly<Record<string, string>>
}

const HEAD_BYTES = 32
/** Of all attributes, as in MySQL. */
const MOST_ATTRIBUTE_BYTES = 64 * 1024

export function readLoginHead(packet: Buffer): { head: LoginHead; asksForTls: boolean } {
  const reader = new PayloadReader(packet)
  const capabilities = reader.uint32()
  if (!(capabilities & CAN.protocol41) || packet.length < HEAD_BYTES) throw tooOld()
  // The size of its packets, which nobody needs.
  reader.uint32()
  const collation = reader.byte()
  return {
    head: { capabilities, collation },
    asksForTls: packet.length === HEAD_BYTES && (capabilities & CAN.tls) !== 0,
  }
}

export function readLogin(packet: Buffer): Login {
  const { head } = readLoginHead(packet)
  const { capabilities, collation } = head
  const reader = new PayloadReader(packet, HEAD_BYTES)
  const charset = charsetOf(collation)
  const user = decodeText(reader.zeroEnded(), charset)
  const authData = readAuthData(reader, capabilities)
  const database =
    capabilities & CAN.connectWithDatabase && reader.left > 0 ? decodeText(reader.zeroEnded(), charset) : ''
  const plugin = capabilities & CAN.pluginAuth && reader.left > 0 ? reader.zeroEnded().toString('latin1') : ''
  const attributes = capabilities & CAN.connectAttributes && reader.left > 0 ? readAttributes(reader) : {}
  return { ...head, user, authData, database, plugin, attributes }
}

function readAuthData(reader: PayloadReader, capabilities: number): Buffer {
  if (capabilities & CAN.longAuthData) return reader.lengthEncodedBytes()
  if (capabilities & CAN.secureConnection) return reader.bytes(reader.byte())
  return reader.zeroEnded()
}

/** Of COM_CHANGE_USER. What it does not say stays as the login said it. */
export function readChangeUser(packet: Buffer, login: Login): Login {
  const { capabilities } = login
  const reader = new PayloadReader(packet, 1)
  const charset = charsetOf(login.collation)
  const user = decodeText(reader.zeroEnded(), charset)
  const authData = capabilities & CAN.secureConnection ? reader.bytes(reader.byte()) : reader.zeroEnded()
  const database = decodeText(reader.zeroEnded(), charset)
  const collation = reader.left >= 2 ? reader.uint16() : login.collation
  const plugin = capabilities & CAN.pluginAuth && reader.left > 0 ? reader.zeroEnded().toString('latin1') : ''
  const attributes =
    capabilities & CAN.connectAttributes && reader.left > 0 ? readAttributes(reader) : login.attributes
  return { capabilities, collation, user, authData, database, plugin, attributes }
}

function readAttributes(reader: PayloadReader): Record<string, string> {
  const bytes = reader.lengthEncodedBytes()
  // Each of them may be two bytes here, and some hundred as an object.
  if (bytes.length > MOST_ATTRIBUTE_BYTES) throw malformed()
  const fields = new PayloadReader(bytes)
  const entries: [string, string][] = []
  while (fields.left > 0) {
    const name = fields.lengthEncodedBytes().toString('utf8')
    entries.push([name, fields.lengthEncodedBytes().toString('utf8')])
  }
  return Object.fromEntries(entries)
}

function tooOld(): FatalProtocolError {
  return new FatalProtocolError('bad-handshake', { code: 1043, sqlState: '08S01', message: 'Bad handshake' })
}
