import type { FastifyInstance } from 'fastify'
import { type ConsoleFiles, sendContent } from './console-files.ts'
import { embeddedHeaders } from './security-headers.ts'

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Websites whose pages can show the page of this link in a frame. */
export type FramesOf = (embedId: string) => Promise<readonly string[]>

/**
 * Serves the page of embedded dashboards. What follows `#` in its address is the key, which a browser sends to nobody: the
 * page is the same for everyone, and only its headers are of the link.
 */
export function mountEmbeddedPage(
  app: FastifyInstance,
  { embeddedPage }: Pick<ConsoleFiles, 'embeddedPage'>,
  framesOf: FramesOf,
): void {
  if (!embeddedPage) return
  app.get<{ Params: { embedId: string } }>('/embed/:embedId', async (request, reply) => {
    const { embedId } = request.params
    const origins = ID.test(embedId) ? await framesOf(embedId) : []
    // The older header knows no list, and refuses what the newer one allows.
    if (origins.length > 0) reply.removeHeader('x-frame-options')
    return sendContent(request, reply.headers(embeddedHeaders(origins)), embeddedPage)
  })
}
