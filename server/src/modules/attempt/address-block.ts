import { isIPv6 } from 'node:net'
import { endpointOf, ipOf, throughEndpoint } from '../../kernel/client-address.ts'

const OF_IPV4 = /^::ffff:([\d.]+)$/i

/** Who has one address of IPv6 has 2^64 of them: these count as one. An address of IPv4 counts for itself. */
export function addressBlock(address: string): string {
  const endpoint = endpointOf(address)
  if (endpoint !== null) return throughEndpoint(addressBlock(ipOf(address)), endpoint)
  const ofIpv4 = OF_IPV4.exec(address)?.[1]
  if (ofIpv4) return ofIpv4
  if (!isIPv6(address)) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: zeros }, () => '0'), ...after]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
