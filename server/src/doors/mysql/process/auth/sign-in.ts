import { randomBytes } from 'node:crypto'
import type { Proof } from '../../link/messages.ts'
import type { Client } from '../client.ts'
import type { AnswerOf } from '../inbox.ts'
import { CAN } from '../wire/flags.ts'
import { NONCE_BYTES } from '../wire/greeting.ts'
import type { Login } from '../wire/login-packet.ts'
import { PayloadBuilder } from '../wire/payload-builder.ts'
import { FatalProtocolError } from '../wire/protocol-error.ts'
import { decryptPassword, publicKeyPem, withoutZero } from './password-exchange.ts'

export const SHA2 = 'caching_sha2_password'
const NATIVE = 'mysql_native_password'
const CLEAR = 'mysql_clear_password'

const SWITCH = 0xfe
const MORE_DATA = 0x01
const FAST_DONE = 0x03
const FULL_WANTED = 0x04
const KEY_WANTED = 0x02
const SHA2_BYTES = 32
const NATIVE_BYTES = 20

/** Bytes that clients mix into what they send: none is zero, which would end a text. */
export const newNonce = (): Buffer => Buffer.from(randomBytes(NONCE_BYTES).map((byte) => (byte % 127) + 1))

export interface SignedIn {
  readonly answer: AnswerOf<'signed-in'>
  /** The one that the client mixes in the next time. */
  readonly nonce: Buffer
}

/** Finds out who a client is, in the way that it can prove it. Throws where it is nobody. */
export async function signIn(client: Client, login: Login, nonce: Buffer): Promise<SignedIn> {
  const { plugin, authData, capabilities } = login
  if (plugin === CLEAR) return { answer: await byClearPassword(client, login), nonce }
  if (plugin === NATIVE || !(capabilities & CAN.pluginAuth)) {
    const answer = await byNativeScramble(client, login, nonce)
    if (answer) return { answer, nonce }
  }
  if (plugin === SHA2) return { answer: await bySha2(client, { ...login, nonce, authData }), nonce }
  return switched(client, login)
}

/** Asks for the plugin that everybody can use here. */
async function switched(client: Client, login: Login): Promise<SignedIn> {
  if (!(login.capabilities & CAN.pluginAuth)) throw refusedWith('old-password', OLD_CLIENT)
  const nonce = newNonce()
  const request = new PayloadBuilder().byte(SWITCH).zeroEndedText(SHA2).bytes(nonce).byte(0)
  const authData = await client.ask(request.build())
  return { answer: await bySha2(client, { ...login, nonce, authData }), nonce }
}

async function byClearPassword(client: Client, login: Login): Promise<AnswerOf<'signed-in'>> {
  if (!client.transport.isSecure) throw refusedWith('clear-password', CLEAR_WITHOUT_TLS)
  return settled(await prove(client, login, { kind: 'password', password: withoutZero(login.authData) }))
}

/** Null for a user who has no credential of this kind. */
async function byNativeScramble(client: Client, login: Login, nonce: Buffer) {
  const { authData } = login
  if (authData.length === 0) return settled(await prove(client, login, NO_PASSWORD))
  if (authData.length !== NATIVE_BYTES) return null
  const answer = await prove(client, login, { kind: 'native-scramble', scramble: authData, nonce })
  return answer.kind === 'signed-in' ? answer : null
}

interface Sha2Exchange extends Login {
  readonly nonce: Buffer
}

async function bySha2(client: Client, exchange: Sha2Exchange): Promise<AnswerOf<'signed-in'>> {
  const { authData, nonce } = exchange
  const isEmpty = authData.length === 0 || (authData.length === 1 && authData[0] === 0)
  if (isEmpty) return settled(await prove(client, exchange, NO_PASSWORD))
  if (authData.length === SHA2_BYTES) {
    const answer = await prove(client, exchange, { kind: 'sha2-scramble', scramble: authData, nonce })
    if (answer.kind === 'signed-in') {
      client.transport.writer.packet(Buffer.from([MORE_DATA, FAST_DONE]))
      return answer
    }
  }
  const password = await fullPassword(client, nonce)
  return settled(await prove(client, exchange, { kind: 'password', password }))
}

async function fullPassword(client: Client, nonce: Buffer): Promise<string> {
  const reply = await client.ask(Buffer.from([MORE_DATA, FULL_WANTED]))
  if (client.transport.isSecure) return withoutZero(reply)
  const isKeyWanted = reply.length === 1 && reply[0] === KEY_WANTED
  if (!isKeyWanted) return decryptPassword(reply, nonce)
  const key = Buffer.from(await publicKeyPem())
  return decryptPassword(await client.ask(Buffer.concat([Buffer.from([MORE_DATA]), key])), nonce)
}

const NO_PASSWORD: Proof = { kind: 'password', password: '' }

async function prove(client: Client, login: Login, proof: Proof) {
  const { user, database, attributes, collation } = login
  const { address, isSecure, privateLink } = client.transport
  client.send({
    kind: 'sign-in',
    client: client.number,
    user,
    proof,
    address,
    ...(privateLink && { privateLink }),
    isSecure,
    attributes,
    database,
    collation,
  })
  const answer = await client.answer('signed-in', 'password-needed', 'refused')
  if (answer.kind !== 'refused') return answer
  throw new FatalProtocolError('access-denied', answer.error)
}

function settled(answer: AnswerOf<'signed-in' | 'password-needed'>): AnswerOf<'signed-in'> {
  if (answer.kind === 'signed-in') return answer
  throw refusedWith('access-denied', 'Access denied')
}

const OLD_CLIENT = 'Your client is too old: it must know the authentication plugin caching_sha2_password.'
const CLEAR_WITHOUT_TLS = 'Your client must use TLS to send a clear password.'

const refusedWith = (cause: string, message: string): FatalProtocolError =>
  new FatalProtocolError(cause, { code: 1045, sqlState: '28000', message })
