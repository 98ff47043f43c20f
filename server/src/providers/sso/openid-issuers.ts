import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Client, Issuers } from './issuer.ts'

const TIMEOUT_SECONDS = 10

/** OpenID Connect with PKCE, state and nonce, for any issuer that describes itself. */
export function createOpenIdIssuers({ plainHttp }: { plainHttp: boolean }): Issuers {
  function configuration({ issuer, clientId, clientSecret }: Client): Promise<Configuration> {
    const execute = plainHttp ? [allowInsecureRequests] : []
    return discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute,
      timeout: TIMEOUT_SECONDS,
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
