import type { IncomingMessage } from 'node:http'

/** The channel's handshake does not pass through the HTTP framework, so the proxy's word is read here. */
export function clientIpOf(request: IncomingMessage, trustProxy: boolean): string {
  const forwarded = trustProxy ? String(request.headers['x-forwarded-for'] ?? '') : ''
  return forwarded.split(',')[0]?.trim() || (request.socket.remoteAddress ?? '127.0.0.1')
}
