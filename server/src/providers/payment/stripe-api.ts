import type { Stripe } from 'stripe'
import { z } from 'zod'
import { textAnswer } from '../../kernel/json/answer.ts'
import { JSON_BOUNDS, whyNotParsed } from '../../kernel/json/bounds.ts'

/** Stripe keeps the answers of a version unchanged. The package would request its own version. */
const API_VERSION = '2024-06-20' as Stripe.LatestApiVersion
const ANSWER_MS = 30_000
/** Bytes. */
const LONGEST_ANSWER = 1024 * 1024

const Intent = z.object({
  id: z.string(),
  status: z.string(),
  latest_charge: z.string().nullish(),
  last_payment_error: z.object({ message: z.string().optional(), code: z.string().optional() }).nullish(),
})
/** A charge on its way; of its answers only what is read here, as they hold secrets. */
export type StripeIntent = z.infer<typeof Intent>

export const StripeId = z.object({ id: z.string() })

/** A card of no customer is detached. */
export const StripeMethod = z.object({ id: z.string(), customer: z.string().nullish() })

export const StripeSetup = z.object({
  id: z.string(),
  status: z.string(),
  client_secret: z.string(),
  last_setup_error: z.object({ code: z.string().optional() }).nullish(),
  payment_method: z
    .union([
      z.string(),
      z.object({
        id: z.string(),
        card: z.object({
          brand: z.string(),
          last4: z.string(),
          exp_month: z.number().int(),
          exp_year: z.number().int(),
        }),
      }),
    ])
    .nullish(),
})

export const StripeIntentAnswer = Intent

const Refused = z.object({
  statusCode: z.number(),
  rawType: z.string(),
  code: z.string().optional(),
  param: z.string().optional(),
  message: z.string(),
  payment_intent: Intent.optional(),
})

/** Stripe understood and said no. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal'
  readonly status: number
  readonly type: string
  readonly code: string | undefined
  readonly param: string | undefined
  readonly intent: StripeIntent | undefined

  constructor(refused: z.infer<typeof Refused>) {
    // Of a key that is refused, not even a part is repeated.
    super(
      refused.statusCode === 401
        ? 'The key of this installation was refused.'
        : refused.message || refused.rawType,
    )
    this.status = refused.statusCode
    this.type = refused.rawType
    this.code = refused.code
    this.param = refused.param
    this.intent = refused.payment_intent
  }
}

/** It is not known whether anything happened. */
class StripeSilent extends Error {
  override readonly name = 'StripeSilent'
}

export interface StripeApiOptions {
  readonly secretKey: string
  readonly url: string
}

/** Locked, in use, too many requests, or a fault of Stripe: the same request is sent again. */
const isPassing = (status: number): boolean => status === 409 || status === 429 || status >= 500

/** What the package would say of this machine. */
const UNSENT = ['x-stripe-client-user-agent', 'x-stripe-client-telemetry']

/** One address, one request, one answer of a bounded length. */
async function fetchOnce(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  for (const name of UNSENT) headers.delete(name)
  headers.set('user-agent', 'Boathouse')
  const response = await fetch(input, { ...init, headers, redirect: 'error' })
  const text = await textAnswer(response, LONGEST_ANSWER)
  const problem = whyNotParsed(Buffer.from(text), JSON_BOUNDS)
  if (problem !== null) throw new Error(`The answer ${problem}`)
  return new Response(text, { status: response.status, headers: response.headers })
}

/** The package is large and few have it to do with: it is loaded when it is used, and never twice. */
const load = () => import('stripe')

async function clientOf({ secretKey, url }: StripeApiOptions): Promise<Stripe> {
  const { Stripe } = await load()
  const { protocol, hostname, port } = new URL(url)
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: ANSWER_MS,
    // What is sent again is decided by those who know what it is.
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient(fetchOnce),
  })
}

/** An error of the package holds headers and the whole answer: only what is read here is kept of it. */
function known(error: unknown): Error {
  const refused = Refused.safeParse(error)
  if (refused.success && !isPassing(refused.data.statusCode)) return new StripeRefusal(refused.data)
  const status = refused.success ? `with ${refused.data.statusCode}` : 'by nothing that can be read'
  return new StripeSilent(`A request to Stripe was answered ${status}.`)
}

/** Asks by a method of the package; of what is answered, only what is read here is taken. */
export function createStripeApi(options: StripeApiOptions) {
  let client: Promise<Stripe> | undefined
  return async function ask<T>(reads: z.ZodType<T>, request: (to: Stripe) => Promise<unknown>): Promise<T> {
    client ??= clientOf(options)
    const stripe = await client
    let answer: unknown
    try {
      answer = await request(stripe)
    } catch (error) {
      throw known(error)
    }
    const read = reads.safeParse(answer)
    if (read.success) return read.data
    throw new StripeSilent('An answer of Stripe is not as it should be.')
  }
}

/** Whether one of the secrets has signed it, whenever that was. */
export async function isSignedByStripe(
  body: string,
  signature: string,
  secrets: readonly string[],
): Promise<boolean> {
  const { Stripe } = await load()
  return secrets.some((secret) => {
    try {
      return Stripe.webhooks.signature?.verifyHeader(body, signature, secret, 0) ?? false
    } catch {
      // It throws for every reason there is.
      return false
    }
  })
}
