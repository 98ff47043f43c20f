import { onTestFinished } from 'vitest'
import { openIssuer } from './open-issuer.ts'

export { CLIENT } from './open-issuer.ts'

/** One for a test of the server. */
export async function startIssuer(redirectUri: () => string) {
  const issuer = await openIssuer(redirectUri)
  onTestFinished(issuer.close)
  return issuer
}
