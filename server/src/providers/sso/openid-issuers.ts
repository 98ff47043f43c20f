import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  customFetch,
  type CustomFetchOptions,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { textAnswer } from '../../kernel/json/answer.ts'
import { whyNotParsed } from '../../kernel/json/bounds.ts'
import type { Client, Issuers } from './issuer.ts'

const TIMEOUT_SECONDS = 10
/** Bytes: an issuer is whoever an account says it is. */
const LONGEST_ANSWER = 256 * 1024

/** Judges how long and how deep an answer is before the library parses it. */
async function askIssuer(url: string, options: CustomFetchOptions): Promise<Response> {
  const { method, headers: asked, redirect, signal = null, body = null } = options
  // The library sends forms and nothing else.
  const form = body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : null
  const response = await fetch(url, { method, headers: asked, redirect, signal, body: form })
  const text = await textAnswer(response, LONGEST_ANSWER)
  const problem = whyNotParsed(Buffer.from(text))
  if (problem !== null) throw new Error(`The answer of the issuer ${problem}`)
  const { status, statusText, headers } = response
  return new Response(text === '' ? null : text, { status, statusText, headers })
}

/** OpenID Connect with PKCE, state and nonce, for any issuer that describes itself. */
export function createOpenIdIssuers({ plainHttp }: { plainHttp: boolean }): Issuers {
  function configuration({ issuer, clientId, clientSecret }: Client): Promise<Configuration> {
    const execute = plainHttp ? [allowInsecureRequests] : []
    return discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute,
      timeout: TIMEOUT_SECONDS,
      [customFetch]: askIssuer,
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
        isEmailVerified: claims['email_verified'] !== false,
      }
    },
  }
}
