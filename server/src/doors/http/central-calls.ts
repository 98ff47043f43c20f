import { API_PREFIX, SIGNED_HEADERS } from '@boathouse/contract'
import type { FastifyInstance } from 'fastify'
import type { ImplementedCall } from '../../kernel/implement.ts'

/**
 * Calls to the central host come from consoles of other origins, so browsers send a preflight. Logins are not in
 * cookies, so an origin gains nothing by being allowed.
 */
export function openToOtherOrigins(app: FastifyInstance, calls: readonly ImplementedCall[]): void {
  const paths = new Set(calls.filter(({ call }) => call.toCentral).map(({ call }) => API_PREFIX + call.path))
  app.addHook('onRequest', async (request, reply) => {
    const { origin } = request.headers
    if (!origin || !paths.has(request.url)) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'cross-origin-resource-policy': 'cross-origin',
      vary: 'origin',
    })
  })
  for (const path of paths)
    app.options(path, (_request, reply) =>
      reply
        .headers({
          'access-control-allow-methods': 'GET, POST',
          'access-control-allow-headers': [
            'content-type',
            'accept-language',
            ...Object.values(SIGNED_HEADERS),
          ].join(', '),
          'access-control-max-age': '600',
        })
        .code(204)
        .send(),
    )
}
