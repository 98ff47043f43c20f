import { setImmediate as letOthersOn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { API_PREFIX } from '@boathouse/contract'
import { type CallDescriptions, describeAll } from '@boathouse/contract/openapi'
import type { FastifyInstance } from 'fastify'

const compress = promisify(gzip)

interface Described {
  readonly version: string
  readonly callDescriptions: CallDescriptions
}

async function write({ version, callDescriptions }: Described): Promise<string> {
  const work = describeAll(version, callDescriptions)
  let step = work.next()
  while (!step.done) {
    await letOthersOn()
    step = work.next()
  }
  return JSON.stringify(step.value)
}

/**
 * The description of all calls. It is large and always the same: written and compressed once, for the first who asks.
 * Few ask, and no start waits for it.
 */
export function mountApiDescription(app: FastifyInstance, described: Described): void {
  let text: Promise<string> | undefined
  let compressed: Promise<Buffer> | undefined
  app.get(`${API_PREFIX}/openapi.json`, async (request, reply) => {
    text ??= write(described)
    reply.type('application/json; charset=utf-8').header('vary', 'accept-encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(await text)
    return reply.header('content-encoding', 'gzip').send(await (compressed ??= text.then(compress)))
  })
}
