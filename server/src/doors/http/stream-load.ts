import type { IncomingMessage, ServerResponse } from 'node:http'
import { API_PREFIX, CODES } from '@boathouse/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import { inLoopTurn } from '../../kernel/loop-turns.ts'
import type { Streams } from '../../modules/load/stream/service.ts'
import { readStreamOptions } from '../../modules/load/stream/stream-options.ts'
import type { StreamTarget } from '../../modules/load/stream/stream-target.ts'
import { answersAlone, whenBroken } from './broken-request.ts'
import { refusedResponse, responseOf, statusOf } from './stream-answer.ts'
import {
  askToSignIn,
  bodyOf,
  createStreamRequests,
  headersOf,
  letDrain,
  notAsSaid,
  type StreamRequestParts,
} from './stream-request.ts'
import { mountStreamTransactions } from './stream-transactions.ts'

/** What takes data from programs. */
export interface StreamDoor extends StreamRequestParts {
  readonly streams: Pick<Streams, 'begin' | 'errors' | 'transactions'>
  readonly publicUrl: () => string
}

const OF_STREAM = /^\/api\/(?:[^?]*\/_stream_load|transaction\/load)(?:\?|$)/

const IS_LOAD = /^\/api\/[^?]*\/_stream_load(?:\?|$)/

const OF_LOADS = /^\/api\/(?:[^?]*\/_stream_load|transaction\/\w+)(?:\?|$)/

/** From its first byte on: what follows a short body may come with it. */
function answerAlone(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? ''
  const over = answersAlone(request.socket, { canStop: IS_LOAD.test(url) && request.method === 'PUT' })
  response.once('close', over)
}

/**
 * Takes requests in place of the server of Fastify. A client that asks before it sends its body is answered when the load
 * was judged; at other routes at once. Of loads that arrive together, a few begin in each turn of the event loop.
 */
export function routeLoads(app: FastifyInstance): void {
  function route(request: IncomingMessage, response: ServerResponse): void {
    if (!OF_LOADS.test(request.url ?? '')) return app.routing(request, response)
    answerAlone(request, response)
    inLoopTurn(() => {
      // Otherwise nobody is there any more to be answered.
      if (!request.destroyed) app.routing(request, response)
    })
  }

  app.server.removeAllListeners('request')
  app.server.on('request', route)
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (!OF_STREAM.test(request.url ?? '')) response.writeContinue()
    route(request, response)
  })
}

const OTHER_METHODS = ['GET', 'POST', 'PATCH', 'DELETE']

interface StreamRoute {
  Params: { catalog?: string; database: string; table: string }
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply) {
  const { http } = CODES.WrongMethod
  const refused = new AppError('WrongMethod', `Send a stream load with PUT, not with ${request.method}.`)
  letDrain(request, reply)
  return reply.code(http).send(refusedResponse(refused, ''))
}

/** `PUT /api/{database}/{table}/_stream_load`: judged before the body comes, answered when its rows are stored. */
export function mountStreamLoad(app: FastifyInstance, door: StreamDoor): void {
  const { streams } = door
  const { senderOf, refusal } = createStreamRequests(door)
  const errorUrl = (taskId: string) => `${door.publicUrl()}${API_PREFIX}/_load_error_log?id=${taskId}`

  async function load(request: FastifyRequest<StreamRoute>, reply: FastifyReply) {
    const { catalog = null, database, table } = request.params
    const target: StreamTarget = { catalog, database, table }
    try {
      const sender = await senderOf(request)
      const begun = await streams.begin(sender, target, readStreamOptions(headersOf(request)))
      whenBroken(request.raw.socket, () => {
        begun.cancel(notAsSaid(request.raw))
        reply.header('connection', 'close')
      })
      if (request.headers.expect !== undefined) reply.raw.writeContinue()
      const answer = await begun.take(bodyOf(request.raw))
      letDrain(request, reply)
      return responseOf(answer, errorUrl)
    } catch (error) {
      const refused = refusal(error)
      letDrain(request, reply)
      askToSignIn(refused, reply)
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
    for (const table of [':database/:table', ':catalog/:database/:table']) {
      const url = `${API_PREFIX}/${table}/_stream_load`
      room.put<StreamRoute>(url, options, load)
      room.route({ ...options, url, method: OTHER_METHODS, handler: refuseMethod })
    }

    mountStreamTransactions(room, { ...door, transactions: streams.transactions, errorUrl })

    room.get<{ Querystring: { id?: string } }>(`${API_PREFIX}/_load_error_log`, async (request, reply) => {
      const sender = await senderOf(request).catch((error: unknown) => {
        askToSignIn(error, reply)
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
