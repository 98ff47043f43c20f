import type { SessionValues } from '../lib/session.ts'
import { homePath, inRegion, loginPath, signInPath } from './paths.ts'
import type { Place } from './paths.ts'

type Known = Pick<SessionValues, 'account' | 'region'>

export const startPath = ({ token, account, region }: Known & Pick<SessionValues, 'token'>): string =>
  token && region && account ? homePath({ region, aid: account }) : loginPath()

/** Where an address of the application leads instead; null when it may be shown. */
export function guardPlace(
  known: Known & Pick<SessionValues, 'user'>,
  place: Place,
  href: string,
): string | null {
  const { user, account, region } = known
  // The address names the account, even for a user who is signed in to another one. A user whose login has timed out
  // stays, and signs in again in place.
  if (!user || account !== place.aid) return signInPath(place.aid, place.region, href)
  if (region !== null && region !== place.region) return inRegion(href, region)
  return null
}
