import type { IncomingMessage, ServerResponse } from 'node:http'
import { API_PREFIX } from '@boathouse/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Streams } from '../../modules/load/stream/service.ts'
import { readStreamOptions } from '../../modules/load/stream/stream-options.ts'
import type { StreamTarget } from '../../modules/load/stream/stream-target.ts'
import { answersAlone } from './broken-request.ts'
import { refusedResponse, responseOf, statusOf } from './stream-answer.ts'
import {
  askToSignIn,
  bodyOf,
  createStreamRequests,
  headersOf,
  letDrain,
  type StreamRequestParts,
} from './stream-request.ts'
import { mountStreamTransactions } from './stream-transactions.ts'

/** What takes data from programs. */
export interface StreamDoor extends StreamRequestParts {
  readonly streams: Pick<Streams, 'begin' | 'errors' | 'transactions'>
  readonly publicUrl: () => string
}

const OF_STREAM = /^\/api\/(?:[^?]*\/_stream_load|transaction\/load)(?:\?|$)/

const OF_LOADS = /^\/api\/(?:[^?]*\/_stream_load|transaction\/\w+)(?:\?|$)/

/** From its first byte on: what follows a short body may come with it. */
function answerAlone(request: IncomingMessage, response: ServerResponse): void {
  if (OF_LOADS.test(request.url ?? '')) response.once('close', answersAlone(request.socket))
}

/** A client that asks before it sends its body is answered when the load was judged; at other routes at once. */
export function continueLater(app: FastifyInstance): void {
  app.server.prependListener('request', answerAlone)
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    answerAlone(request, response)
    if (!OF_STREAM.test(request.url ?? '')) response.writeContinue()
    app.routing(request, response)
  })
}

interface StreamRoute {
  Params: { catalog?: string; database: string; table: string }
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
    room.put<StreamRoute>(`${API_PREFIX}/:database/:table/_stream_load`, options, load)
    room.put<StreamRoute>(`${API_PREFIX}/:catalog/:database/:table/_stream_load`, options, load)

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
