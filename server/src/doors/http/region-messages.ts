import { codeNumber, NONCE_PATTERN } from '@boathouse/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../kernel/app-error.ts'
import { REGION_HEADERS, REGION_MESSAGES_PATH } from '../../kernel/region-signature.ts'
import type { RegionDoor } from '../../modules/region/service.ts'

/** Orders for a hundred accounts, and usage of a thousand hours. */
const BODY_BYTES = 2 * 1024 * 1024

export interface RegionRoute {
  /** Null where there is no other server. */
  readonly door: RegionDoor | null
  readonly nonces: { claim(loginId: string, nonce: string): Promise<boolean> }
}

/** Where the central server and those of regions reach each other: not a call of the contract, because nobody signs in. */
export function mountRegionMessages(app: FastifyInstance, { door, nonces }: RegionRoute): void {
  if (!door) return
  app.post(REGION_MESSAGES_PATH, { bodyLimit: BODY_BYTES }, async (request) => {
    const header = (name: string): string => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : ''
    }
    const message = {
      from: header(REGION_HEADERS.from),
      to: header(REGION_HEADERS.to),
      at: header(REGION_HEADERS.at),
      nonce: header(REGION_HEADERS.nonce),
      body: request.body instanceof Buffer ? request.body.toString() : '',
    }
    door.requireSigned(message, header(REGION_HEADERS.signature))
    const isNew =
      NONCE_PATTERN.test(message.nonce) && (await nonces.claim(`region ${message.from}`, message.nonce))
    if (!isNew) throw new AppError('StaleRequest', 'This message was received before. Send a new one.')
    return { code: codeNumber('Ok'), message: '', data: await door.answer(message) }
  })
}
