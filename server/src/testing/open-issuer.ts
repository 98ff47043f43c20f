import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export const CLIENT = { id: 'boathouse', secret: 'a-secret-of-the-client-that-is-long-enough' }

interface Person {
  readonly sub: string
  readonly email?: string
  /** Some issuers say it in other words than they should. */
  readonly email_verified?: boolean | string | number
}

/** A real OpenID Connect issuer on this machine. It asks nobody for a password: `person` is who sits there. */
export async function openIssuer(redirectUri: () => string) {
  const state: { person: Person } = { person: { sub: 'ada', email: 'ada@example.com', email_verified: true } }
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // Made with the first question: where people are sent back to may be known only later.
  const makeProvider = () =>
    new Provider(url, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [redirectUri()],
          grant_types: ['authorization_code'],
          response_types: ['code'],
        },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: [] },
      conformIdTokenClaims: false,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
      findAccount: (_context, sub) => ({ accountId: sub, claims: async () => ({ ...state.person, sub }) }),
      async loadExistingGrant(context) {
        const { oidc } = context
        const grant = new oidc.provider.Grant({
          clientId: CLIENT.id,
          accountId: oidc.session?.accountId ?? state.person.sub,
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
  let made: Provider | undefined
  server.on('request', (request, response) => {
    const provider = (made ??= makeProvider())
    const answer = provider.callback()
    if (!request.url?.startsWith('/interaction/')) return void answer(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: state.person.sub } })
  })
  return {
    url,
    state,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    /** What a browser does that is sent to the issuer: follows until it is sent back, and answers the query it brings. */
    async visit(address: string): Promise<string> {
      const cookies = new Map<string, string>()
      let next = new URL(address)
      for (let hop = 0; hop < 10; hop++) {
        if (next.href.startsWith(redirectUri())) return next.search
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(next, { redirect: 'manual', headers: { cookie } })
        for (const line of response.headers.getSetCookie()) {
          const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split('=', 2)
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null)
          throw new Error(`The issuer answered ${response.status}: ${await response.text()}`)
        next = new URL(location, next)
      }
      throw new Error('The issuer sends the browser from here to there.')
    },
  }
}
