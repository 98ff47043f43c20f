import type { IncomingMessage } from 'node:http'
import { API_PREFIX, codeNumber, SIGNED_HEADERS } from '@boathouse/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Actor, requireNeeds } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { ImplementedCall } from '../../kernel/implement.ts'
import { type Nonces, verifySigned } from './signed-request.ts'

export interface CallDoor {
  readonly calls: readonly ImplementedCall[]
  readonly authenticate: (token: string) => Promise<Actor>
  readonly clientIpOf: (request: IncomingMessage) => string
  readonly nonces: Nonces
  readonly clock: Clock
}

const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

function parseJson(body: string): unknown {
  // The database cannot keep it, and nothing that people write has it.
  if (/\\u0000/.test(body)) throw new AppError('BadInput', 'The body holds the character U+0000. Remove it.')
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

/** The walk of one call: signature, freshness, replay, login, needs, input, handler, output, envelope. */
async function answerCall(door: CallDoor, implemented: ImplementedCall, request: FastifyRequest) {
  const { call, handle } = implemented
  const body = typeof request.body === 'string' ? request.body : ''
  const token = await verifySigned(
    {
      token: header(request, SIGNED_HEADERS.token),
      nonce: header(request, SIGNED_HEADERS.nonce),
      timestamp: header(request, SIGNED_HEADERS.timestamp),
      signature: header(request, SIGNED_HEADERS.signature),
      body,
    },
    door,
  )
  const from = { requestId: request.id, clientIp: door.clientIpOf(request.raw) }
  if (call.needs === 'nothing') return call.output.parse(await handle(from, parseInput(implemented, body)))
  const actor = await door.authenticate(token)
  requireNeeds(actor, call.needs)
  return call.output.parse(await handle({ ...from, actor }, parseInput(implemented, body)))
}

export function mountCalls(app: FastifyInstance, door: CallDoor): void {
  for (const implemented of door.calls) {
    app.route({
      method: implemented.call.method,
      url: API_PREFIX + implemented.call.path,
      handler: async (request) => ({
        code: codeNumber('Ok'),
        message: '',
        data: await answerCall(door, implemented, request),
      }),
    })
  }
}
