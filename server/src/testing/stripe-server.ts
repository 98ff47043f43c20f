import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Answer, change, look, refusal } from './stripe-api.ts'
import { createStripeCards } from './stripe-cards.ts'
import { createStripeObjects, type Json } from './stripe-objects.ts'

/** What becomes of a request. */
type Loss = 'cut off before' | 'cut off after' | 'fails'

export interface StripeServerOptions {
  readonly secretKey: string
  readonly webhookSecret: string
}

function send(response: ServerResponse, answer: Answer | 'cut off'): void {
  if (answer === 'cut off') {
    response.destroy()
    return
  }
  response.writeHead(answer.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(answer.body))
}

/**
 * Answers as the published API of Stripe does (docs.stripe.com/api, version 2024-06-20), as far as it is used here:
 * customers, set-up intents, payment intents, payment methods, keys of requests, errors and signed events. It is no
 * part of Stripe; what it does not know, it refuses.
 */
export async function startStripeServer({ secretKey, webhookSecret }: StripeServerOptions) {
  const kept = createStripeObjects()
  const { objects } = kept
  const answered = new Map<string, { readonly sent: string; readonly answer: Answer }>()
  const requests: {
    readonly method: string
    readonly path: string
    readonly key: string | undefined
    readonly headers: IncomingHttpHeaders
  }[] = []
  let loss: { what: Loss; in: number } | null = null
  let isDown = false

  async function answerOf(request: IncomingMessage): Promise<Answer | 'cut off'> {
    const url = new URL(request.url ?? '/', 'http://stripe.test')
    const header = request.headers['idempotency-key']
    const key = typeof header === 'string' ? header : undefined
    requests.push({ method: request.method ?? '', path: url.pathname, key, headers: request.headers })
    const what = loss && --loss.in === 0 ? loss.what : null
    const sent = await text(request)
    if (isDown || what === 'fails') return refusal(503, { type: 'api_error', message: 'An error occurred.' })
    if (what === 'cut off before') return 'cut off'
    if (request.headers.authorization !== `Bearer ${secretKey}`)
      return refusal(401, {
        type: 'invalid_request_error',
        message: `Invalid API Key provided: ${secretKey}`,
      })
    if (request.headers['stripe-version'] !== '2024-06-20')
      return refusal(400, { type: 'invalid_request_error', message: 'Another version.' })
    if (request.method === 'GET') return look(kept, url.pathname, url.searchParams)
    const before = key === undefined ? undefined : answered.get(key)
    if (before && before.sent !== url.pathname + sent)
      return refusal(400, {
        type: 'idempotency_error',
        message: 'Keys can only be used with the same parameters.',
      })
    const answer = before?.answer ?? structuredClone(change(kept, url.pathname, new URLSearchParams(sent)))
    if (key !== undefined && !before) answered.set(key, { sent: url.pathname + sent, answer })
    return what === 'cut off after' ? 'cut off' : answer
  }

  const server = createServer((request, response) => {
    void answerOf(request).then((answer) => send(response, answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    objects,
    of: (kind: string) => [...objects.values()].filter((one) => one['object'] === kind),

    ...createStripeCards(kept, () => isDown),

    /** The next request but so many. */
    lose(what: Loss, nth: number): void {
      loss = { what, in: nth }
    },
    setDown(down: boolean): void {
      isDown = down
    },
    /** After a day. */
    forgetKeys: () => answered.clear(),

    /** As Stripe sends it. */
    event(type: string, object: Json | undefined, signed: { at: Date; secret?: string }) {
      const id = `evt_${randomBytes(12).toString('hex')}`
      const body = JSON.stringify({ id, object: 'event', type, data: { object: object ?? {} } })
      return { body, signature: signatureOf(body, signed.at, signed.secret ?? webhookSecret) }
    },

    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export function signatureOf(body: string, at: Date, secret: string): string {
  const time = Math.floor(at.getTime() / 1000)
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')},v0=00`
}

export type StripeServer = Awaited<ReturnType<typeof startStripeServer>>
