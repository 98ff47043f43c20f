import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  customFetch,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { textAnswer } from '../../kernel/json/answer.ts'
import { whyNotParsed } from '../../kernel/json/bounds.ts'
import type { Client, Issuers } from './issuer.ts'
import { createCheckedFetch } from './checked-fetch.ts'

const TIMEOUT_SECONDS = 10
/** Bytes. An account can name any server as its issuer. */
const LONGEST_ANSWER = 256 * 1024

/** Judges how long and how deep an answer is before the library parses it. */
async function judged(asked: Promise<Response>): Promise<Response> {
  const response = await asked
  const text = await textAnswer(response, LONGEST_ANSWER)
  const problem = whyNotParsed(Buffer.from(text))
  if (problem !== null) throw new Error(`The answer of the issuer ${problem}`)
  const { status, statusText, headers } = response
  return new Response(text === '' ? null : text, { status, statusText, headers })
}

/** OpenID Connect with PKCE, state and nonce, for any issuer that describes itself at an address that may be reached. */
export function createOpenIdIssuers({ openEndpoints }: { openEndpoints: readonly string[] }): Issuers {
  const checked = createCheckedFetch({ openEndpoints, silenceMs: TIMEOUT_SECONDS * 1000 })
  const opened = new Set(openEndpoints)

  /** Loaded for every sign-in, so that keys and addresses that the issuer has changed apply at once. */
  function configuration({ issuer, clientId, clientSecret }: Client): Promise<Configuration> {
    // An address without TLS was allowed by the operator: the check accepts no others.
    const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : []
    return discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute,
      timeout: TIMEOUT_SECONDS,
      [customFetch]: (url, options) => judged(checked.fetch(url, options)),
    })
  }

  return {
    newChallenge: () => ({
      state: randomState(),
      nonce: randomNonce(),
      codeVerifier: randomPKCECodeVerifier(),
    }),

    async addressOf(client, { state, nonce, codeVerifier }) {
      const address = buildAuthorizationUrl(await configuration(client), {
        redirect_uri: client.redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      })
      // Browsers are sent there: the issuer must not make it a script, or a page without TLS.
      if (address.protocol !== 'https:' && !opened.has(address.origin))
        throw new Error('The issuer sends browsers to an address without TLS.')
      return address.href
    },

    async claims(client, { state, nonce, codeVerifier }, answer) {
      const came = new URL(client.redirectUri)
      came.search = answer
      const tokens = await authorizationCodeGrant(await configuration(client), came, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (!claims) throw new Error('The issuer gave no ID token.')
      return {
        subject: claims.sub,
        email: typeof claims['email'] === 'string' ? claims['email'].toLowerCase() : undefined,
        isEmailVerified: claims['email_verified'] === true,
      }
    },

    close: checked.close,
  }
}
