import type { IncomingMessage } from 'node:http'
import { CODES } from '@boathouse/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import { parseJson } from '../../kernel/json/parse.ts'
import type { Log } from '../../kernel/log.ts'
import type { KeySignIn } from '../../modules/key/sign-in.ts'
import type { ProgramFrom, SignedInProgram } from '../../modules/user/plain-sign-in.ts'
import type { McpDoor } from '../mcp/door.ts'
import { errorAnswer } from './error-answer.ts'
import { goneOf } from './gone.ts'
import { keyInHeader } from './key-in-header.ts'
import type { LoginQueue } from './login-queue.ts'

/** What lets agents in. */
export interface McpRoute {
  /** Null: it is switched off. */
  readonly door: McpDoor | null
  readonly signInByKey: KeySignIn['signIn']
  readonly loginQueue: LoginQueue
  readonly clientIpOf: (request: IncomingMessage) => string
  readonly publicUrl: () => string
  readonly log: Log
}

const MCP_PATH = '/mcp'

const MOST_BYTES = 64 * 1024
const NO_BODY = new Uint8Array()

const withoutKey = () =>
  new AppError('LoginFailed', 'Send an API key that allows MCP: Authorization: Bearer bh_…')

const tooLarge = () => new AppError('TooLarge', `A message has at most ${MOST_BYTES / 1024} KiB.`)

/** No page of another site talks to this server through the browser of somebody inside. Programs send no Origin. */
function requireOwnOrigin({ headers }: FastifyRequest, publicUrl: string): void {
  const { origin } = headers
  if (origin !== undefined && origin !== new URL(publicUrl).origin)
    throw new AppError('NoPermission', `Pages of ${origin.slice(0, 200)} cannot use this server.`)
}

/** JSON-RPC's numbers: a message that is not one, and anything else. */
const INVALID_REQUEST = -32_600
const SERVER_ERROR = -32_000

const CHALLENGE = 'Bearer realm="Boathouse"'

function challenge({ code }: AppError): string | null {
  if (CODES[code].http === 401) return CHALLENGE
  return code === 'NoPermission' ? `${CHALLENGE}, error="insufficient_scope"` : null
}

function messageIn({ body }: FastifyRequest): unknown {
  const read = parseJson(body instanceof Uint8Array ? body : NO_BODY, { refusesZero: true })
  if (read.problem !== undefined) throw new AppError('BadInput', `The body ${read.problem}`)
  if (Array.isArray(read.value))
    throw new AppError('BadInput', 'Send one message at a time, not a list of them.')
  return read.value
}

/** Only what the protocol reads. */
const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'host'] as const

function headersOf({ headers }: FastifyRequest): Headers {
  const read = new Headers()
  for (const name of HEADERS) {
    const value = headers[name]
    if (typeof value === 'string') read.set(name, value)
  }
  return read
}

/** `/mcp`: the Model Context Protocol over HTTP, one message a request, and nothing kept between two of them. */
export function mountMcp(app: FastifyInstance, route: McpRoute): void {
  const { door, log } = route
  if (!door) return

  const signedIn = async (request: FastifyRequest, from: ProgramFrom): Promise<SignedInProgram> => {
    const secret = keyInHeader(request.headers)
    if (secret === null) throw withoutKey()
    const { clientIp: address, program } = from
    return route.loginQueue({ clientIp: address, token: secret }, () =>
      route.signInByKey({ secret, door: 'mcp', address, ...(program !== undefined && { program }) }),
    )
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    requireOwnOrigin(request, route.publicUrl())
    const gone = goneOf(reply)
    const clientIp = route.clientIpOf(request.raw)
    const program = request.headers['user-agent'] ?? ''
    const identity = await signedIn(request, { door: 'mcp', clientIp, program }).catch((error: unknown) => {
      const asks = error instanceof AppError ? challenge(error) : null
      if (asks !== null) reply.header('www-authenticate', asks)
      throw error
    })
    const message = messageIn(request)
    const url = new URL(MCP_PATH, route.publicUrl()).href
    const agent = { signedIn: identity, clientIp, program, requestId: request.id, gone }
    const response = await door.answer(agent, { url, headers: headersOf(request), message })
    const type = response.headers.get('content-type')
    if (type !== null) reply.type(type)
    return reply.code(response.status).send(Buffer.from(await response.arrayBuffer()))
  }

  const refuse = (error: unknown, reply: FastifyReply) => {
    const isTooLarge = (error as { code?: unknown }).code === 'FST_ERR_CTP_BODY_TOO_LARGE'
    const { status, body, isForeseen } = errorAnswer(isTooLarge ? tooLarge() : error)
    if (!isForeseen) log.error({ err: error }, 'a message of an agent failed for a reason not foreseen')
    const code = status === CODES.BadInput.http ? INVALID_REQUEST : SERVER_ERROR
    return reply.code(status).send({ jsonrpc: '2.0', error: { code, message: body.message }, id: null })
  }

  void app.register(async (room) => {
    room.setErrorHandler((error, _request, reply) => refuse(error, reply))
    room.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
    room.post(MCP_PATH, { bodyLimit: MOST_BYTES }, answer)
    // Without sessions there is nothing to listen to and nothing to end, as the protocol allows.
    for (const method of ['GET', 'DELETE'] as const)
      room.route({
        method,
        url: MCP_PATH,
        handler: (_request, reply) =>
          refuse(new AppError('WrongMethod', `${MCP_PATH} answers POST.`), reply.header('allow', 'POST')),
      })
  })
}
