/**
 * Where a client is. One that came by a private link has its address and the endpoint behind it, `10.20.0.7@vpce-0a1b2c3d`:
 * in one value, so that code that passes on the address cannot lose the other, and so take a private client for a public one.
 */

/** Of nobody's endpoint, which gives no access. */
const NO_ENDPOINT = ''

export const throughEndpoint = (ip: string, endpointId: string | null): string =>
  `${ip}@${endpointId ?? NO_ENDPOINT}`

/** The address alone, as columns of the type inet keep it. */
export const ipOf = (address: string): string => address.split('@', 1)[0] ?? ''

/** Null for a client of the public address. */
export function endpointOf(address: string): string | null {
  const at = address.indexOf('@')
  return at < 0 ? null : address.slice(at + 1)
}

/** As they are stored, each for itself. */
export const addressParts = (address: string | null) =>
  address === null
    ? ({ ip: null, endpoint: null } as const)
    : { ip: ipOf(address), endpoint: endpointOf(address) }

/** For a client that loses access while it is connected. */
export const whyBlocked = (address: string): string =>
  endpointOf(address) === null
    ? 'The IP firewall does not allow this address.'
    : 'The private endpoint that you came through no longer has access.'
