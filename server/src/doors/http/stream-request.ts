import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import type { Log } from '../../kernel/log.ts'
import { inLoopTurn } from '../../kernel/loop-turns.ts'
import type { StreamSender } from '../../modules/load/stream/live-load.ts'
import type { KeySignIn } from '../../modules/key/sign-in.ts'
import type { PlainSignIn, ProgramFrom, SignedInProgram } from '../../modules/user/plain-sign-in.ts'
import { basicCredentials } from './basic-credentials.ts'
import { errorAnswer } from './error-answer.ts'
import { keyInHeader } from './key-in-header.ts'

export interface StreamRequestParts {
  readonly signIn: PlainSignIn['signIn']
  readonly signInByKey: KeySignIn['signIn']
  readonly clientIpOf: (request: IncomingMessage) => string
  readonly log: Log
}

/** So long a client that was refused may continue to send: most read an answer only when they have sent everything. */
const DRAIN_MS = 10_000

/** Those of Java 17 wait forever when they are refused without a request to send their body first. */
const SENDS_ANYWAY = /^Java-http-client\/1\d\b/

/** What is still on its way of a body that nobody wants. */
export function letDrain({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return
  if (raw.headers.expect !== undefined && !reply.raw.writableEnded && raw.readableFlowing === null) {
    if (SENDS_ANYWAY.test(raw.headers['user-agent'] ?? '')) reply.raw.writeContinue()
    else reply.header('connection', 'close')
  }
  if (raw.destroyed) return
  const { socket } = raw
  raw.resume()
  const timer = setTimeout(() => socket.destroy(), DRAIN_MS)
  raw.once('end', () => clearTimeout(timer))
  raw.once('close', () => clearTimeout(timer))
}

const cutOff = () => new AppError('BadInput', 'The body was cut off before its end. Nothing was loaded.')

/** What is wrong with a request of which more, or something else, comes than its headers say. */
export const notAsSaid = ({ complete }: IncomingMessage) =>
  complete
    ? new AppError('BadInput', 'The body is longer than its Content-Length says. Nothing was loaded.')
    : cutOff()

/** Of bodies that come in larger pieces, a few pieces are taken in each turn of the event loop. */
const LARGE_PIECE = 16 * 1024

/** The body as it comes; one that ends early is refused in words. */
export async function* bodyOf(raw: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of raw as AsyncIterable<Uint8Array>) {
      yield piece
      if (piece.byteLength >= LARGE_PIECE) await new Promise<void>(inLoopTurn)
    }
  } catch (error) {
    throw error instanceof AppError ? error : cutOff()
  }
}

export const headersOf = ({ headers }: FastifyRequest): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )

const withoutPassword = () =>
  new AppError(
    'LoginFailed',
    'Sign in with Basic authentication: your account and user name, and your password or an API key.',
  )

export function askToSignIn(error: unknown, reply: FastifyReply): void {
  if (error instanceof AppError && error.code === 'LoginFailed')
    reply.header('www-authenticate', 'Basic realm="Boathouse"')
}

/** What all requests of programs that send data have in common. */
export function createStreamRequests({ signIn, signInByKey, clientIpOf, log }: StreamRequestParts) {
  async function signedInFor(request: FastifyRequest, from: ProgramFrom): Promise<SignedInProgram> {
    const secret = keyInHeader(request.headers)
    if (secret !== null) return signInByKey({ ...from, door: 'ingest', secret, address: from.clientIp })
    const credentials = basicCredentials(request.headers.authorization)
    if (!credentials) throw withoutPassword()
    return signIn(from, credentials)
  }

  return {
    /** Each request signs in. */
    async senderOf(request: FastifyRequest): Promise<StreamSender> {
      const clientIp = clientIpOf(request.raw)
      const program = request.headers['user-agent'] ?? ''
      const signedIn = await signedInFor(request, { door: 'ingest', clientIp, program })
      const { known } = signedIn
      let isJustRead = true
      return {
        known,
        // The first to ask need not read the same row again.
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
    },

    refusal(error: unknown): AppError {
      if (error instanceof AppError) return error
      log.error({ err: error }, 'a stream load failed for a reason not foreseen')
      return new AppError('Internal', errorAnswer(error).body.message)
    },
  }
}
