import { API_PREFIX, LIMITS } from '@boathouse/contract'
import { openApiDocument } from '@boathouse/contract/openapi'
import { fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'
import { type Metrics, metricsText } from '../metrics/metrics.ts'
import { type CallDoor, mountCalls } from './calls.ts'
import { openToOtherOrigins } from './central-calls.ts'
import { type ConsoleFiles, mountConsole } from './console-files.ts'
import { mountDownloads, type TakeDownload } from './downloads.ts'
import { errorAnswer } from './error-answer.ts'
import { securityHeaders } from './security-headers.ts'

export interface HttpDoor extends CallDoor {
  readonly log: Log
  readonly version: string
  /** People reach the server over TLS. */
  readonly isSecure: boolean
  readonly centralUrl: string | undefined
  readonly consoleFiles: ConsoleFiles
  readonly takeDownload: TakeDownload
  readonly metrics: Metrics
  /** Rejects while something that the service needs is down. */
  readonly checkHealth: () => Promise<Record<string, string>>
}

function answerErrors(app: FastifyInstance, door: HttpDoor): void {
  app.setErrorHandler((error, request, reply) => {
    const { status, body, isForeseen } = errorAnswer(error)
    if (!isForeseen) request.log.error({ err: error }, 'a call failed for a reason not foreseen')
    door.metrics.failures.inc({ code: String(body.code) })
    return reply.code(status).send(body)
  })
  const paths = new Set(door.calls.map(({ call }) => API_PREFIX + call.path))
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? ''
    const error = paths.has(path)
      ? new AppError('WrongMethod', `${path} does not answer ${request.method}.`)
      : new AppError('UnknownCall', `There is nothing at ${path}.`)
    const { status, body } = errorAnswer(error)
    return reply.code(status).send(body)
  })
}

function observe(app: FastifyInstance, door: HttpDoor): void {
  const headers = securityHeaders(door)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id)
    if (request.url.startsWith(API_PREFIX)) reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'unknown'
    door.metrics.requests.observe({ route, status: String(reply.statusCode) }, reply.elapsedTime / 1000)
    if (route.startsWith(API_PREFIX))
      request.log.info(
        { route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        'call answered',
      )
  })
}

/** The HTTP door: translates between requests and the contract's calls, and decides nothing. */
export function createHttpServer(door: HttpDoor): FastifyInstance {
  const log: FastifyBaseLogger = door.log
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.bodyBytes,
    requestTimeout: 120_000,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 1024 },
    genReqId: () => globalThis.crypto.randomUUID(),
  })
  // The signature covers the exact bytes, so the body stays text until it is verified.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) =>
    done(null, body),
  )

  observe(app, door)
  openToOtherOrigins(app, door.calls)
  answerErrors(app, door)
  mountCalls(app, door)
  const description = openApiDocument(door.version)
  app.get(`${API_PREFIX}/openapi.json`, () => description)
  app.get(`${API_PREFIX}/*`, (request, reply) => reply.callNotFound())
  app.get('/healthz', async () => ({ status: 'ok', version: door.version, parts: await door.checkHealth() }))
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4').send(await metricsText(door.metrics)),
  )
  mountDownloads(app, door.takeDownload)
  mountConsole(app, door.consoleFiles)
  return app
}
