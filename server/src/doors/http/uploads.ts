import type { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import { codeNumber, LIMITS } from '@boathouse/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'

/** What takes the parts of files. */
export interface Uploads {
  receive(
    code: string,
    arriving: {
      readonly part: number
      readonly bytes: number | null
      readonly body: Readable
      readonly clientIp: string
    },
  ): Promise<{ readonly part: number; readonly isNew: boolean }>
}

interface PartsFrom {
  readonly clientIpOf: (request: IncomingMessage) => string
  /** How long nothing of a part may come. How long it takes depends on the line of its sender. */
  readonly silentMs: number
}

const BYTES = 'application/octet-stream'

/** Ends the connection of a sender that has become silent. A request that is injected has none. */
function endWhenSilent({ socket }: IncomingMessage, silentMs: number): { stop(): void } {
  if (!(socket instanceof Socket)) return { stop: () => undefined }
  const end = () => socket.destroy()
  socket.setTimeout(silentMs, end)
  return {
    stop() {
      socket.setTimeout(0)
      socket.off('timeout', end)
    },
  }
}

/** Parts of files go straight to the disk, so the address itself is the permission: long, secret, and of one file. */
export function mountUploads(
  app: FastifyInstance,
  uploads: Uploads,
  { clientIpOf, silentMs }: PartsFrom,
): void {
  void app.register(async (room) => {
    room.addContentTypeParser(BYTES, (_request, payload, done) => done(null, payload))
    room.put<{ Params: { code: string; part: string }; Body: Readable }>(
      '/upload/:code/:part',
      { bodyLimit: LIMITS.uploadPartBytes, config: { takesItsTime: true } },
      async (request, reply) => {
        const { code, part } = request.params
        if (!/^\d{1,6}$/.test(part))
          throw new AppError('BadInput', 'A part is named by its number, starting at 0.')
        if (!request.body) throw new AppError('BadInput', `A part is sent as ${BYTES}.`)
        const length = request.headers['content-length']
        const bytes = length === undefined ? null : Number(length)
        reply.header('cache-control', 'no-store')
        const silence = endWhenSilent(request.raw, silentMs)
        try {
          const clientIp = clientIpOf(request.raw)
          const data = await uploads.receive(code, {
            part: Number(part),
            bytes,
            body: request.body,
            clientIp,
          })
          return { code: codeNumber('Ok'), message: '', data }
        } finally {
          silence.stop()
          // What is left of a part that was refused is not kept waiting for.
          if (!request.raw.readableEnded) {
            request.raw.resume()
            reply.header('connection', 'close')
          }
        }
      },
    )
  })
}
