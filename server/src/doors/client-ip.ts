import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * Where a request comes from, for every door. Each proxy adds to `X-Forwarded-For` whom it was asked by: with so many
 * of ours in front, the address stands that many places from the end, and what comes before it anyone can write.
 */
export const clientIpBehind =
  (proxies: number) =>
  (request: IncomingMessage): string => {
    const requester = request.socket.remoteAddress ?? '127.0.0.1'
    if (proxies === 0) return requester
    const forwarded = String(request.headers['x-forwarded-for'] ?? '').split(',')
    const address = (forwarded.at(-proxies) ?? forwarded[0] ?? '').trim()
    return isIP(address) ? address : requester
  }
