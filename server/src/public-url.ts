import type { Server } from 'node:http'
import type { Config } from './config.ts'

/** Where people reach this server: as the operator says, or where it listens. */
export function publicUrlOf(
  { publicUrl, httpHost, httpPort }: Pick<Config, 'publicUrl' | 'httpHost' | 'httpPort'>,
  server: Pick<Server, 'address'>,
): string {
  if (publicUrl !== undefined) return publicUrl
  const host = httpHost === '0.0.0.0' || httpHost === '::' ? 'localhost' : httpHost
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : httpPort
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
