import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { API_PREFIX } from '@boathouse/contract'
import { type CallDescriptions, openApiDocument } from '@boathouse/contract/openapi'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)

/** The description of all calls. It is large and always the same: written and compressed once, not with each request. */
export function mountApiDescription(
  app: FastifyInstance,
  { version, callDescriptions }: { version: string; callDescriptions: CallDescriptions },
): void {
  const text = JSON.stringify(openApiDocument(version, callDescriptions))
  let compressed: Promise<Buffer> | undefined
  app.get(`${API_PREFIX}/openapi.json`, async (request, reply) => {
    reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(text)
    return reply.header('content-encoding', 'gzip').send(await (compressed ??= compress(text)))
  })
}
