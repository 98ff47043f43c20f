import { CHANNEL_PATH } from '@boathouse/contract/realtime'
import { signedHeaders } from './signed-headers.ts'

export interface ChannelAddressParts {
  /** As in `https://eu-1.example.com`. */
  readonly host: string
  readonly token: string
  /** Distinguishes the channels of one user. */
  readonly clientId: string
  readonly now: number
}

/** Valid for one attempt to open a channel. */
export function channelAddress({ host, token, clientId, now }: ChannelAddressParts): string {
  const url = new URL(CHANNEL_PATH, host)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  url.search = new URLSearchParams({ client_id: clientId, ...signedHeaders(token, '', now) }).toString()
  return url.href
}
