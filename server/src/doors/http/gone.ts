import type { FastifyReply } from 'fastify'

/** Aborted when the client goes before it is answered. */
export function goneOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}
