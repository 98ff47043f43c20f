import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { refuseBroken } from './broken-request.ts'

/** A route whose body may take as long as the route itself says. */
declare module 'fastify' {
  interface FastifyContextConfig {
    readonly takesItsTime?: boolean
  }
}

/** Refuses requests whose body has not arrived in time, answered or not, and ends their connection. */
export function refuseLateBodies(app: FastifyInstance, withinMs: number, headers: object): void {
  app.addHook('onRequest', async ({ raw, routeOptions }) => {
    const { socket } = raw
    // A request that is injected has no connection.
    if (raw.complete || routeOptions.config.takesItsTime || !(socket instanceof Socket)) return
    const late = Object.assign(new Error('The body is late.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    const timer = setTimeout(() => !raw.complete && refuseBroken(late, socket, headers), withinMs)
    raw.once('end', () => clearTimeout(timer))
    raw.once('close', () => clearTimeout(timer))
  })
}
