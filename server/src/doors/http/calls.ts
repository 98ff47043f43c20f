import type { IncomingMessage } from 'node:http'
import { API_PREFIX, type Call, codeNumber, LIMITS, SIGNED_HEADERS } from '@boathouse/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, refuseKey, requireNeeds, requireOpenAccount } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { parseJson, type ReadJson } from '../../kernel/json/parse.ts'
import { type JsonReader, LARGE_JSON } from '../../kernel/json/reader.ts'
import type { ImplementedCall } from '../../kernel/implement.ts'
import { addressBlock } from '../../modules/attempt/address-block.ts'
import type { KeySignIn } from '../../modules/key/sign-in.ts'
import { goneOf } from './gone.ts'
import { keyInHeader } from './key-in-header.ts'
import type { LargeBodies } from './large-bodies.ts'
import { admitLogin, type Claimed, type LoginDoor, signedBefore, verifySigned } from './signed-request.ts'
import type { SlowRefusals } from './slow-refusals.ts'

export interface CallDoor extends LoginDoor {
  readonly calls: readonly ImplementedCall[]
  readonly signInByKey: KeySignIn['signIn']
  readonly clientIpOf: (request: IncomingMessage) => string
  readonly slowRefusals: SlowRefusals
  readonly jsonReader: JsonReader
  readonly largeBodies: LargeBodies
}

const USER_AGENT_LENGTH = 256
const EMPTY = new Uint8Array()
const RULES = { refusesZero: true }

const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function parseInput({ call }: ImplementedCall, read: ReadJson): unknown {
  if (read.problem !== undefined) throw new AppError('BadInput', `The body ${read.problem}`)
  const parsed = call.input.safeParse(read.value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
  throw new AppError('BadInput', `${place}${issue?.message ?? 'The input does not fit this call.'}`)
}

interface Received {
  readonly claimed: Claimed
  /** What the body says; read when who sent it is known, or by another thread. */
  json(): ReadJson
}

/** The thread that serves everyone neither signs nor parses a large body. */
async function receive(door: CallDoor, request: FastifyRequest, clientIp: string): Promise<Received> {
  const body = request.body instanceof Uint8Array ? request.body : EMPTY
  const claimed = {
    token: header(request, SIGNED_HEADERS.token),
    nonce: header(request, SIGNED_HEADERS.nonce),
    timestamp: header(request, SIGNED_HEADERS.timestamp),
    signature: header(request, SIGNED_HEADERS.signature),
    body,
  }
  if (body.length === 0) return { claimed, json: () => ({ value: {} }) }
  if (body.length <= LARGE_JSON) return { claimed, json: () => parseJson(body, RULES) }
  const { token: key = '' } = claimed
  const signed = { key, before: signedBefore(claimed) }
  const asked = { bytes: body, signed, rules: RULES }
  const { read, signature } = await door.jsonReader.read([addressBlock(clientIp), key], asked)
  return { claimed: { ...claimed, computed: signature }, json: () => read }
}

/** Who sent a request with this key. */
const admitKey = (door: CallDoor, request: FastifyRequest, secret: string): Promise<Actor> => {
  const clientIp = door.clientIpOf(request.raw)
  const program = header(request, 'user-agent') ?? ''
  return door.loginQueue({ clientIp, token: secret }, async () => {
    const { known } = await door.signInByKey({ secret, door: 'http', address: clientIp, program })
    return known
  })
}

/** The walk of one call: signature, freshness, login, replay, account, needs, input, handler, output, envelope. */
async function answerCall(door: CallDoor, implemented: ImplementedCall, reply: FastifyReply) {
  const { request } = reply
  const { call, handle } = implemented
  const from = {
    requestId: request.id,
    clientIp: door.clientIpOf(request.raw),
    userAgent: (header(request, 'user-agent') ?? '').slice(0, USER_AGENT_LENGTH),
    ...(call.stopsWithCaller && { gone: goneOf(reply) }),
  }
  const { claimed, json } = await receive(door, request, from.clientIp)
  if (call.needs === 'nothing') {
    verifySigned(claimed, door.clock)
    return call.output.parse(await door.slowRefusals(handle(from, parseInput(implemented, json()))))
  }
  const secret = keyInHeader(request.headers)
  const actor =
    secret === null ? await admitLogin(claimed, from.clientIp, door) : await admitKey(door, request, secret)
  if (call.refusesKeys) refuseKey(actor)
  if (!call.whileFrozen) requireOpenAccount(actor.accountState)
  requireNeeds(actor, call.needs)
  return call.output.parse(await handle({ ...from, actor }, parseInput(implemented, json())))
}

const mayBeLarge = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined ||
  Number(headers['content-length'] ?? 0) > LIMITS.bodyBytesBeforeLogin

/** Without a login only a small body is read: this is decided before any of it is. */
function bodyLimits(door: CallDoor, call: Call) {
  if (call.needs === 'nothing') return { bodyLimit: LIMITS.bodyBytesBeforeLogin }
  const releases = new WeakMap<FastifyRequest, () => void>()
  return {
    bodyLimit: call.takesLarge ? LIMITS.bodyBytes : LIMITS.smallBodyBytes,
    onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
      if (!mayBeLarge(request)) return
      const token = header(request, SIGNED_HEADERS.token) ?? ''
      const secret = keyInHeader(request.headers)
      const clientIp = door.clientIpOf(request.raw)
      try {
        const actor =
          secret === null
            ? await door.loginQueue({ clientIp, token }, () => door.authenticate(token, clientIp))
            : await admitKey(door, request, secret)
        if (call.takesLarge) releases.set(request, door.largeBodies.reserve(actor))
      } catch (error) {
        // What is still on its way is not read.
        reply.header('connection', 'close')
        throw error
      }
    },
    onResponse: async (request: FastifyRequest) => releases.get(request)?.(),
  }
}

export function mountCalls(app: FastifyInstance, door: CallDoor): void {
  for (const implemented of door.calls) {
    app.route({
      method: implemented.call.method,
      url: API_PREFIX + implemented.call.path,
      ...bodyLimits(door, implemented.call),
      handler: async (_, reply) => ({
        code: codeNumber('Ok'),
        message: '',
        data: await answerCall(door, implemented, reply),
      }),
    })
  }
}
