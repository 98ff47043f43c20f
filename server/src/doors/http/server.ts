import type { IncomingMessage } from 'node:http'
import { API_PREFIX, CODES, LIMITS } from '@boathouse/contract'
import type { CallDescriptions } from '@boathouse/contract/openapi'
import {
  fastify,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'
import type { PaymentEvents } from '../../modules/payment/payment-events.ts'
import type { RegionDoor } from '../../modules/region/service.ts'
import { type Metrics, metricsText } from '../metrics/metrics.ts'
import { mountApiDescription } from './api-description.ts'
import { refuseBroken } from './broken-request.ts'
import { type CallDoor, mountCalls } from './calls.ts'
import { openToOtherOrigins } from './central-calls.ts'
import { type ConsoleFiles, mountConsole } from './console-files.ts'
import { type Downloads, mountDownloads } from './downloads.ts'
import { type FramesOf, mountEmbeddedPage } from './embedded-page.ts'
import { errorAnswer } from './error-answer.ts'
import { createLargeBodies } from './large-bodies.ts'
import { type McpRoute, mountMcp } from './mcp.ts'
import { mountPaymentEvents } from './payment-events.ts'
import { mountRegionMessages } from './region-messages.ts'
import { securityHeaders } from './security-headers.ts'
import { createSlowRefusals } from './slow-refusals.ts'
import { refuseLateBodies } from './late-bodies.ts'
import { routeLoads, mountStreamLoad, type StreamDoor } from './stream-load.ts'
import { mountUploads, type Uploads } from './uploads.ts'

/** How long a request may take to arrive, in milliseconds; answers take as long as they take. */
export interface HttpTimes {
  readonly headersMs: number
  /** The headers and the body. Longer than the headers alone. */
  readonly requestMs: number
  /** Requests that are late are looked for this often. */
  readonly lookMs: number
  /** The refusal of a stranger who sends too many requests is delayed by this time. */
  readonly refusalMs: number
  /** A part of a file may take as long as it needs, but nothing of it may stay away for so long. */
  readonly silentMs: number
}

/** A client gives up after a minute too. */
export const HTTP_TIMES: HttpTimes = {
  headersMs: 15_000,
  requestMs: 60_000,
  lookMs: 5_000,
  refusalMs: 1_000,
  silentMs: 30_000,
}

export interface HttpDoor extends Omit<CallDoor, 'slowRefusals' | 'largeBodies'> {
  readonly log: Log
  readonly version: string
  /** People reach the server over TLS. */
  readonly isSecure: boolean
  readonly times: HttpTimes
  readonly centralUrl: string | undefined
  readonly consoleFiles: ConsoleFiles
  readonly framesOf: FramesOf
  readonly callDescriptions: CallDescriptions
  readonly downloads: Downloads
  readonly uploads: Uploads
  readonly streams: Omit<StreamDoor, 'clientIpOf'>
  readonly mcp: Pick<McpRoute, 'door' | 'publicUrl'>
  /** Throws for a request that came by a private link which is not for it. */
  readonly requireFor: (request: IncomingMessage) => void
  /** Null where no payment provider sends events. */
  readonly paymentEvents: PaymentEvents | null
  /** What other servers of this service are answered; null where there are none. */
  readonly regionDoor: RegionDoor | null
  /** The console may load the browser's part of Stripe. */
  readonly takesStripeCards: boolean
  readonly metrics: Metrics
  /** Rejects while something that the service needs is down. */
  readonly checkHealth: () => Promise<Record<string, string>>
}

function sendError(reply: FastifyReply, error: unknown): void {
  const { status, body } = errorAnswer(error)
  reply.code(status).send(body)
}

function answerErrors(app: FastifyInstance, door: HttpDoor): void {
  app.setErrorHandler((error, request, reply) => {
    if (request.raw.destroyed && !request.raw.complete) {
      request.log.info('a client went away in the middle of its request')
      return reply.code(CODES.BadInput.http).send()
    }
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
    sendError(reply, error)
  })
}

function addHeaders(request: FastifyRequest, reply: FastifyReply, headers: Record<string, string>): void {
  reply.headers(headers).header('x-request-id', request.id)
  if (request.url.startsWith(API_PREFIX)) reply.header('cache-control', 'no-store')
}

function observe(app: FastifyInstance, door: HttpDoor, headers: Record<string, string>): void {
  app.addHook('onRequest', async (request, reply) => addHeaders(request, reply, headers))
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

/** So long an answer may take that is under way when the service ends. */
const CLOSE_WITHIN_MS = 5_000

/** The HTTP door: translates between requests and the contract's calls, and decides nothing. */
export function createHttpServer(door: HttpDoor): FastifyInstance {
  const log: FastifyBaseLogger = door.log
  const { headersMs, requestMs, lookMs } = door.times
  const headers = securityHeaders(door)
  const app: FastifyInstance = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: LIMITS.bodyBytesBeforeLogin,
    // How long a body may take depends on what it is for.
    http: { headersTimeout: headersMs, requestTimeout: 0, connectionsCheckingInterval: lookMs },
    requestTimeout: 0,
    keepAliveTimeout: 65_000,
    routerOptions: { maxParamLength: 1024 },
    genReqId: () => globalThis.crypto.randomUUID(),
    clientErrorHandler: (error, socket) => refuseBroken(error, socket, headers),
    // Addresses that no route can be looked up for pass none of the hooks below.
    frameworkErrors: (error, request, reply) => {
      addHeaders(request, reply, headers)
      sendError(reply, error)
    },
  })
  // A client that neither reads its answer nor leaves does not hold up the end of the service.
  app.addHook('preClose', (done) => {
    setTimeout(() => app.server.closeAllConnections(), CLOSE_WITHIN_MS).unref()
    done()
  })
  // The signature covers the exact bytes, so the body stays as it is until it is verified.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )

  routeLoads(app)
  refuseLateBodies(app, requestMs, headers)
  observe(app, door, headers)
  app.addHook('onRequest', async (request) => door.requireFor(request.raw))
  openToOtherOrigins(app, door.calls)
  answerErrors(app, door)
  mountCalls(app, {
    ...door,
    slowRefusals: createSlowRefusals(door.times.refusalMs),
    largeBodies: createLargeBodies(),
  })
  mountPaymentEvents(app, door.paymentEvents)
  mountRegionMessages(app, { door: door.regionDoor, nonces: door.nonces })
  mountApiDescription(app, door)
  app.get(`${API_PREFIX}/*`, (request, reply) => reply.callNotFound())
  app.get('/healthz', async () => ({ status: 'ok', version: door.version, parts: await door.checkHealth() }))
  app.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4').send(await metricsText(door.metrics)),
  )
  mountDownloads(app, door.downloads, door.clientIpOf)
  mountUploads(app, door.uploads, { clientIpOf: door.clientIpOf, silentMs: door.times.silentMs })
  mountStreamLoad(app, { ...door.streams, clientIpOf: door.clientIpOf })
  mountMcp(app, { ...door, ...door.mcp })
  mountEmbeddedPage(app, door.consoleFiles, door.framesOf)
  mountConsole(app, door.consoleFiles)
  return app
}
