import type { IncomingMessage } from 'node:http'
import { API_PREFIX, type Call, codeNumber, LIMITS, SIGNED_HEADERS } from '@boathouse/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireNeeds, requireOpenAccount } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { ImplementedCall } from '../../kernel/implement.ts'
import { admitLogin, type LoginDoor, verifySigned } from './signed-request.ts'
import type { SlowRefusals } from './slow-refusals.ts'

export interface CallDoor extends LoginDoor {
  readonly calls: readonly ImplementedCall[]
  readonly clientIpOf: (request: IncomingMessage) => string
  readonly slowRefusals: SlowRefusals
}

const USER_AGENT_LENGTH = 256

const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

/** The character, not its six letters: these have a backslash before their own. */
const U_0000 = /(?:^|[^\\])(?:\\\\)*\\u0000/

function parseJson(body: string): unknown {
  // The database cannot keep it, and nothing that people write has it.
  if (body.includes('\\u0000') && U_0000.test(body))
    throw new AppError('BadInput', 'The body holds the character U+0000. Remove it.')
  try {
    return body === '' ? {} : JSON.parse(body)
  } catch (error) {
    throw new AppError('BadInput', 'The body is not JSON.', { cause: error })
  }
}

function parseInput({ call }: ImplementedCall, body: string): unknown {
  const parsed = call.input.safeParse(parseJson(body))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = issue && issue.path.length > 0 ? `${issue.path.join('.')}: ` : ''
  throw new AppError('BadInput', `${place}${issue?.message ?? 'The input does not fit this call.'}`)
}

/** The walk of one call: signature, freshness, login, replay, account, needs, input, handler, output, envelope. */
async function answerCall(door: CallDoor, implemented: ImplementedCall, request: FastifyRequest) {
  const { call, handle } = implemented
  const body = typeof request.body === 'string' ? request.body : ''
  const claimed = {
    token: header(request, SIGNED_HEADERS.token),
    nonce: header(request, SIGNED_HEADERS.nonce),
    timestamp: header(request, SIGNED_HEADERS.timestamp),
    signature: header(request, SIGNED_HEADERS.signature),
    body,
  }
  const from = {
    requestId: request.id,
    clientIp: door.clientIpOf(request.raw),
    userAgent: (header(request, 'user-agent') ?? '').slice(0, USER_AGENT_LENGTH),
  }
  if (call.needs === 'nothing') {
    verifySigned(claimed, door.clock)
    return call.output.parse(await door.slowRefusals(handle(from, parseInput(implemented, body))))
  }
  const actor = await admitLogin(claimed, from.clientIp, door)
  if (!call.whileFrozen) requireOpenAccount(actor.accountState)
  requireNeeds(actor, call.needs)
  return call.output.parse(await handle({ ...from, actor }, parseInput(implemented, body)))
}

const mayBeLarge = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined ||
  Number(headers['content-length'] ?? 0) > LIMITS.bodyBytesBeforeLogin

/** Whoever has no login gets no more than a small body read: this is decided before any of it is. */
const bodyLimits = (door: CallDoor, call: Call) =>
  call.needs === 'nothing'
    ? { bodyLimit: LIMITS.bodyBytesBeforeLogin }
    : {
        bodyLimit: LIMITS.bodyBytes,
        onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
          if (!mayBeLarge(request)) return
          const token = header(request, SIGNED_HEADERS.token) ?? ''
          const clientIp = door.clientIpOf(request.raw)
          await door
            .loginQueue({ clientIp, token }, () => door.authenticate(token, clientIp))
            .catch((error: unknown) => {
              // What is still on its way is not read.
              reply.header('connection', 'close')
              throw error
            })
        },
      }

export function mountCalls(app: FastifyInstance, door: CallDoor): void {
  for (const implemented of door.calls) {
    app.route({
      method: implemented.call.method,
      url: API_PREFIX + implemented.call.path,
      ...bodyLimits(door, implemented.call),
      handler: async (request) => ({
        code: codeNumber('Ok'),
        message: '',
        data: await answerCall(door, implemented, request),
      }),
    })
  }
}
