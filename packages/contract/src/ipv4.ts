/** Addresses of IPv4 and ranges of them, for the forms and for the firewall. */

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
const ADDRESS = String.raw`${OCTET}(?:\.${OCTET}){3}`
const IPV4 = new RegExp(`^${ADDRESS}$`)
/** The prefix as the specification has it, up to 39. What does not exist is refused by `readRanges`. */
const RANGE_PATTERN = new RegExp(String.raw`^${ADDRESS}(?:/[1-3]?\d)?$`)
const MAPPED = /^::ffff:(?=\d+\.)/i

const entriesOf = (list: string): string[] => list.split(',').map((entry) => entry.trim())

export const looksLikeRanges = (list: string): boolean =>
  entriesOf(list).every((entry) => RANGE_PATTERN.test(entry))

/** As people write it: an address of IPv4 that came over IPv6 is one of IPv4. */
export const plainAddress = (address: string): string => address.replace(MAPPED, '')

const numberOf = (address: string): number =>
  address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)

/** First and last address of each range, as numbers. */
export type Ranges = readonly number[]

/** Null for a list that holds anything but addresses and ranges that exist. */
export function readRanges(list: string): Ranges | null {
  const ranges: number[] = []
  for (const entry of entriesOf(list)) {
    if (!RANGE_PATTERN.test(entry)) return null
    const [address = '', prefix = '32'] = entry.split('/')
    if (Number(prefix) > 32) return null
    const size = 2 ** (32 - Number(prefix))
    const first = Math.floor(numberOf(address) / size) * size
    ranges.push(first, first + size - 1)
  }
  return ranges
}

/** Never an address of IPv6, unless it is one of IPv4 in its clothes. */
export function holdsAddress(ranges: Ranges, address: string): boolean {
  const plain = plainAddress(address)
  if (!IPV4.test(plain)) return false
  const number = numberOf(plain)
  for (let index = 0; index < ranges.length; index += 2)
    if (number >= (ranges[index] ?? Infinity) && number <= (ranges[index + 1] ?? -1)) return true
  return false
}
