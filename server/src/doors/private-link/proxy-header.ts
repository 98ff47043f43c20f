import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { holdsAddress, type Ranges } from '@boathouse/contract/ipv4'

/** Who is at the other end of a load balancer, as the header says that it sends before anything else (PROXY protocol v2). */
export interface ProxiedClient {
  readonly ip: string
  /** The VPC endpoint that the client came through. */
  readonly endpointId: string
}

/** The header is of no use: the connection is closed without an answer. */
export class BadProxyHeader extends Error {
  override readonly name = 'BadProxyHeader'
}

const SIGNATURE = Buffer.from('0d0a0d0a000d0a515549540a', 'hex')
const FIXED_BYTES = 16
/** Addresses and what comes with them: those that AWS sends have some 100 bytes. */
const MOST_BYTES = 1024
/** Version 2, and on behalf of somebody: load balancers also connect on their own, to see whether somebody listens. */
const PROXIED = 0x21
const TCP_OF_IPV4 = 0x11
const TCP_OF_IPV6 = 0x21
/** A field of AWS, and the kind of it that holds the ID of a VPC endpoint. */
const AWS_FIELD = 0xea
const AWS_ENDPOINT = 0x01
const ENDPOINT_ID = /^vpce-[0-9a-f]{8,17}$/

const bad = (why: string): BadProxyHeader => new BadProxyHeader(`The PROXY header ${why}.`)

/** How many bytes follow the first 16. */
function lengthBehind(fixed: Buffer): number {
  if (!fixed.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw bad('is missing')
  if (fixed[12] !== PROXIED) throw bad('is not of a client')
  const length = fixed.readUInt16BE(14)
  if (length > MOST_BYTES) throw bad('is too long')
  return length
}

function ipv6Of(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(2 * index).toString(16))
  return groups.join(':')
}

/** The address of who connects, and where the fields behind the addresses begin. */
function sourceIn(family: number | undefined, rest: Buffer): { readonly ip: string; readonly end: number } {
  if (family === TCP_OF_IPV4 && rest.length >= 12) return { ip: rest.subarray(0, 4).join('.'), end: 12 }
  if (family === TCP_OF_IPV6 && rest.length >= 36) return { ip: ipv6Of(rest.subarray(0, 16)), end: 36 }
  throw bad('has no address of TCP')
}

function endpointIn(fields: Buffer): string {
  const found: string[] = []
  let at = 0
  while (at < fields.length) {
    if (at + 3 > fields.length) throw bad('ends in the middle of a field')
    const value = fields.subarray(at + 3, at + 3 + fields.readUInt16BE(at + 1))
    if (value.length < fields.readUInt16BE(at + 1)) throw bad('ends in the middle of a field')
    if (fields[at] === AWS_FIELD && value[0] === AWS_ENDPOINT) found.push(value.toString('latin1', 1))
    at += 3 + value.length
  }
  const [endpointId] = found
  if (endpointId === undefined || found.length > 1 || !ENDPOINT_ID.test(endpointId))
    throw bad('does not name one VPC endpoint')
  return endpointId
}

function readProxyHeader(fixed: Buffer, rest: Buffer): ProxiedClient {
  const { ip, end } = sourceIn(fixed[13], rest)
  return { ip, endpointId: endpointIn(rest.subarray(end)) }
}

/** Exactly so many bytes, and not one of what follows. */
function take(socket: Socket, bytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      socket.off('readable', look)
      socket.off('close', gone)
      socket.off('end', gone)
      act()
    }
    const look = (): void => {
      const taken = socket.read(bytes) as Buffer | null
      if (taken?.length === bytes) settle(() => resolve(taken))
      else if (taken) settle(() => reject(bad('is cut off')))
    }
    const gone = (): void => settle(() => reject(bad('is cut off')))
    socket.on('readable', look)
    socket.on('close', gone)
    socket.on('end', gone)
    look()
  })
}

export interface ProxyOptions {
  /** Where the load balancers are: from elsewhere, anybody could say who they are. */
  readonly from: Ranges
  readonly withinMs: number
}

/**
 * Takes the header from a socket that was accepted and not read yet; what follows it stays for who reads next. Rejects with
 * a `BadProxyHeader`.
 */
export async function takeProxyHeader(
  socket: Socket,
  { from, withinMs }: ProxyOptions,
): Promise<ProxiedClient> {
  if (!holdsAddress(from, socket.remoteAddress ?? '')) throw bad('comes from no load balancer')
  const late = setTimeout(() => socket.destroy(), withinMs)
  try {
    const fixed = await take(socket, FIXED_BYTES)
    const length = lengthBehind(fixed)
    const rest = length === 0 ? Buffer.alloc(0) : await take(socket, length)
    const client = readProxyHeader(fixed, rest)
    // The stream forgets only then that it was read in this way, and would flow before who reads next wants it.
    await nextTurn()
    return client
  } finally {
    clearTimeout(late)
  }
}
