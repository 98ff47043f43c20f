import { API_PREFIX, codeNumber } from '@boathouse/contract'
import type { FastifyInstance } from 'fastify'
import type { PaymentEvents } from '../../modules/payment/payment-events.ts'

/** An event holds one object of the provider. */
const BODY_BYTES = 256 * 1024

/** Where the payment provider sends its events: not a call of the contract, because its signature is another. */
export function mountPaymentEvents(app: FastifyInstance, events: PaymentEvents | null): void {
  if (!events) return
  app.post(`${API_PREFIX}/payment/events`, { bodyLimit: BODY_BYTES }, async (request) => {
    const signature = request.headers['stripe-signature']
    await events.take({
      body: request.body instanceof Buffer ? request.body.toString() : '',
      signature: typeof signature === 'string' ? signature : '',
    })
    return { code: codeNumber('Ok'), message: '', data: {} }
  })
}
