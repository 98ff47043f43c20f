import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { API_PREFIX } from '@boathouse/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'
import type { StreamSender } from '../../modules/load/stream/live-load.ts'
import type { Streams } from '../../modules/load/stream/service.ts'
import { readStreamOptions } from '../../modules/load/stream/stream-options.ts'
import type { StreamTarget } from '../../modules/load/stream/stream-target.ts'
import type { KeySignIn } from '../../modules/key/sign-in.ts'
import type { PlainSignIn, ProgramFrom, SignedInProgram } from '../../modules/user/plain-sign-in.ts'
import { basicCredentials } from './basic-credentials.ts'
import { errorAnswer } from './error-answer.ts'
import { keyInHeader } from './key-in-header.ts'
import { refusedResponse, responseOf, statusOf } from './stream-answer.ts'

/** What takes data from programs. */
export interface StreamDoor {
  readonly signInByKey: KeySignIn['signIn']
  readonly clientIpOf: (request: IncomingMessage) => string
  readonly streams: Pick<Streams, 'begin' | 'errors'>
  readonly signIn: PlainSignIn['signIn']
  readonly publicUrl: () => string
  readonly log: Log
}

const OF_STREAM = /^\/api\/[^?]*\/_stream_load(?:\?|$)/

/** A client that asks before it sends its body is answered when the load was judged; at other routes at once. */
export function continueLater(app: FastifyInstance): void {
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!OF_STREAM.test(request.url ?? '')) response.writeContinue()
    app.routing(request, response)
  })
}

/** So long a client that was refused may continue to send: most read an answer only when they have sent everything. */
const DRAIN_MS = 10_000

/** What is still on its way of a body that nobody wants. */
function letDrain({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return
  if (raw.headers.expect !== undefined && !reply.raw.writableEnded && raw.readableFlowing === null)
    reply.header('connection', 'close')
  if (raw.destroyed) return
  const { socket } = raw
  raw.resume()
  const timer = setTimeout(() => socket.destroy(), DRAIN_MS)
  raw.once('end', () => clearTimeout(timer))
  raw.once('close', () => clearTimeout(timer))
}

const cutOff = () => new AppError('BadInput', 'The body was cut off before its end. Nothing was loaded.')

/** The body as it comes; one that ends early is refused in words. */
async function* bodyOf(raw: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of raw) yield chunk as Uint8Array
  } catch (error) {
    throw error instanceof AppError ? error : cutOff()
  }
}

const headersOf = ({ headers }: FastifyRequest): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )

interface StreamRoute {
  Params: { catalog?: string; database: string; table: string }
}

const withoutPassword = () =>
  new AppError(
    'LoginFailed',
    'Sign in with Basic authentication: your account and user name, and your password or an API key.',
  )

/** `PUT /api/{database}/{table}/_stream_load`: judged before the body comes, answered when its rows are stored. */
export function mountStreamLoad(app: FastifyInstance, door: StreamDoor): void {
  const { streams, log } = door
  const errorUrl = (taskId: string) => `${door.publicUrl()}${API_PREFIX}/_load_error_log?id=${taskId}`

  async function signedInFor(request: FastifyRequest, from: ProgramFrom): Promise<SignedInProgram> {
    const secret = keyInHeader(request.headers)
    if (secret !== null) return door.signInByKey({ ...from, door: 'ingest', secret, address: from.clientIp })
    const credentials = basicCredentials(request.headers.authorization)
    if (!credentials) throw withoutPassword()
    return door.signIn(from, credentials)
  }

  async function senderOf(request: FastifyRequest): Promise<StreamSender> {
    const clientIp = door.clientIpOf(request.raw)
    const program = request.headers['user-agent'] ?? ''
    const signedIn = await signedInFor(request, { door: 'ingest', clientIp, program })
    const { known } = signedIn
    let isJustRead = true
    return {
      known,
      // Each request signs in: the first to ask need not read the same row again.
      now: async (version) => {
        if (version === undefined && isJustRead) {
          isJustRead = false
          return known
        }
        return signedIn.now(version)
      },
      door: 'ingest',
      clientIp,
      program,
    }
  }

  function refusal(error: unknown): AppError {
    if (error instanceof AppError) return error
    log.error({ err: error }, 'a stream load failed for a reason not foreseen')
    return new AppError('Internal', errorAnswer(error).body.message)
  }

  async function load(request: FastifyRequest<StreamRoute>, reply: FastifyReply) {
    const { catalog = null, database, table } = request.params
    const target: StreamTarget = { catalog, database, table }
    try {
      const sender = await senderOf(request)
      const begun = await streams.begin(sender, target, readStreamOptions(headersOf(request)))
      if (request.headers.expect !== undefined) reply.raw.writeContinue()
      const answer = await begun.take(bodyOf(request.raw))
      letDrain(request, reply)
      return responseOf(answer, errorUrl)
    } catch (error) {
      const refused = refusal(error)
      letDrain(request, reply)
      if (refused.code === 'LoginFailed') reply.header('www-authenticate', 'Basic realm="Boathouse"')
      const label = request.headers['label']
      return reply
        .code(statusOf(refused))
        .send(refusedResponse(refused, typeof label === 'string' ? label : ''))
    }
  }

  void app.register(async (room) => {
    // Of any type or none: what it is stands in a header of its own.
    room.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const options = { config: { takesItsTime: true }, bodyLimit: Number.MAX_SAFE_INTEGER }
    room.put<StreamRoute>(`${API_PREFIX}/:database/:table/_stream_load`, options, load)
    room.put<StreamRoute>(`${API_PREFIX}/:catalog/:database/:table/_stream_load`, options, load)

    room.get<{ Querystring: { id?: string } }>(`${API_PREFIX}/_load_error_log`, async (request, reply) => {
      const sender = await senderOf(request).catch((error: unknown) => {
        reply.header('www-authenticate', 'Basic realm="Boathouse"')
        throw error
      })
      const { id = '' } = request.query
      const rejected = await streams.errors(await sender.now(), /^[0-9a-f-]{36}$/.test(id) ? id : NOBODY)
      const lines = rejected.map(({ line, column, reason, text }) =>
        [`row ${line ?? '?'}`, column ?? '', reason, text ?? ''].join('\t').replaceAll('\n', ' '),
      )
      return reply.type('text/plain; charset=utf-8').send(`${lines.join('\n')}\n`)
    })
  })
}

const NOBODY = '00000000-0000-0000-0000-000000000000'
