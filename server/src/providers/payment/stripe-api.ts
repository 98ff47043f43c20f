import { z } from 'zod'
import { jsonAnswer } from '../../kernel/json/answer.ts'

/** Stripe keeps the answers of a version as they were. */
const API_VERSION = '2024-06-20'
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
  error: z.object({
    type: z.string(),
    code: z.string().optional(),
    param: z.string().optional(),
    message: z.string().optional(),
    payment_intent: Intent.optional(),
  }),
})

/** Stripe understood and said no. */
export class StripeRefusal extends Error {
  override readonly name = 'StripeRefusal'
  readonly status: number
  readonly type: string
  readonly code: string | undefined
  readonly param: string | undefined
  readonly intent: StripeIntent | undefined

  constructor(status: number, { error }: z.infer<typeof Refused>) {
    // Of a key that is refused, not even a part is repeated.
    super(status === 401 ? 'The key of this installation was refused.' : (error.message ?? error.type))
    this.status = status
    this.type = error.type
    this.code = error.code
    this.param = error.param
    this.intent = error.payment_intent
  }
}

/** It is not known whether anything happened. */
export class StripeSilent extends Error {
  override readonly name = 'StripeSilent'
}

export interface StripeRequest<T> {
  readonly path: string
  readonly reads: z.ZodType<T>
  /** Sent as a form; without it the request only reads. */
  readonly form?: Readonly<Record<string, string>>
  /** The same key with the same form happens once, and is answered again; kept by Stripe for a day at least. */
  readonly key?: string
}

export interface StripeApiOptions {
  readonly secretKey: string
  readonly url: string
}

/** Locked, in use, too many at once, or a fault of theirs: to be sent again as it was. */
const isPassing = (status: number): boolean => status === 409 || status === 429 || status >= 500

/** Plain HTTPS: the few calls that are made need no library. */
export function createStripeApi({ secretKey, url }: StripeApiOptions) {
  return async function ask<T>({ path, reads, form, key }: StripeRequest<T>): Promise<T> {
    const response = await fetch(new URL(path, url), {
      method: form ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${secretKey}`,
        'stripe-version': API_VERSION,
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    const answer = await jsonAnswer(response, LONGEST_ANSWER).catch(() => undefined)
    if (response.ok) {
      const read = reads.safeParse(answer)
      if (read.success) return read.data
      throw new StripeSilent(`The response to ${path} is not valid.`)
    }
    const refused = Refused.safeParse(answer)
    if (!refused.success || isPassing(response.status))
      throw new StripeSilent(`${path} was answered with ${response.status}.`)
    throw new StripeRefusal(response.status, refused.data)
  }
}

export type StripeApi = ReturnType<typeof createStripeApi>
