import { createHmac, timingSafeEqual } from 'node:crypto'

/** How the central server is called in messages; no region can have this name. */
export const CENTRAL = '@central'

/** Where servers of regions and the central one send each other messages. */
export const REGION_MESSAGES_PATH = '/api/region/messages'

export const REGION_HEADERS = {
  from: 'x-boathouse-from',
  to: 'x-boathouse-to',
  at: 'x-boathouse-at',
  nonce: 'x-boathouse-nonce',
  signature: 'x-boathouse-signature',
} as const

export interface SignedMessage {
  /** A region, or the central server. */
  readonly from: string
  readonly to: string
  /** In milliseconds since 1970. */
  readonly at: string
  readonly nonce: string
  readonly body: string
}

/** What the central server and one region share: who has it can speak for this region, and for no other. */
export const secretOfRegion = (secret: string, regionId: string): string =>
  createHmac('sha256', secret).update(`boathouse region ${regionId}`).digest('base64url')

export const signatureOf = (secret: string, { from, to, at, nonce, body }: SignedMessage): string =>
  createHmac('sha256', secret).update([from, to, at, nonce, body].join('\n')).digest('hex')

export function isSigned(secret: string, message: SignedMessage, signature: string): boolean {
  const given = Buffer.from(signature)
  const right = Buffer.from(signatureOf(secret, message))
  return given.length === right.length && timingSafeEqual(given, right)
}
