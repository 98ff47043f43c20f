import type { z } from 'zod/mini'
import type { CodeName } from './codes.ts'
import type { BuiltInRole } from './roles.ts'

/** Who may make a call. Roles: every one of them must be active (or organisation admin and creator). */
export type Needs = 'nothing' | 'login' | { readonly roles: readonly BuiltInRole[] }

/** A call is a value. Server and console are both typed by it; the OpenAPI document is made from it. */
export interface Call<
  I extends z.ZodMiniType = z.ZodMiniType,
  O extends z.ZodMiniType = z.ZodMiniType,
  N extends Needs = Needs,
> {
  /** Below `/api`, as in `/user/login`. */
  readonly path: `/${string}/${string}`
  /** POST with a JSON body unless stated. */
  readonly method: 'GET' | 'POST'
  readonly summary: string
  readonly needs: N
  readonly input: I
  readonly output: O
  /** Codes of its own, beside those any call can answer. */
  readonly fails: readonly CodeName[]
  /** Goes to the central host. */
  readonly toCentral: boolean
  /** Its errors are not shown as toasts. */
  readonly silent: boolean
  /** Fills a page, so its failure is the page's. */
  readonly render: boolean
  /** Also answered while the account is frozen, resuming or closed. Others are refused. */
  readonly whileFrozen: boolean
  readonly timeoutMs: number
  /** Not with an API key: it would outlive the key, or change who its user is. */
  readonly refusesKeys: boolean
  /** Takes a body of `LIMITS.bodyBytes`: its input has a long text, or very many parts. */
  readonly takesLarge: boolean
  /** Nobody needs what it does when nobody waits for its answer: then it ends. */
  readonly stopsWithCaller: boolean
}

export const API_PREFIX = '/api'

type Stated = 'path' | 'summary' | 'needs' | 'input' | 'output'

export const DEFAULT_TIMEOUT_MS = 60_000

export const defineCall = <I extends z.ZodMiniType, O extends z.ZodMiniType, N extends Needs>(
  draft: Pick<Call<I, O, N>, Stated> & Partial<Omit<Call<I, O, N>, Stated>>,
): Call<I, O, N> => ({
  method: 'POST',
  fails: [],
  toCentral: false,
  silent: false,
  render: false,
  whileFrozen: false,
  timeoutMs: DEFAULT_TIMEOUT_MS,
  refusesKeys: false,
  takesLarge: false,
  stopsWithCaller: false,
  ...draft,
})

/** What a client writes: fields with a default may be left out. */
export type Sent<C extends Call> = z.input<C['input']>
/** What a handler is given. */
export type Input<C extends Call> = z.output<C['input']>
export type Output<C extends Call> = z.output<C['output']>

/** A module is a folder of calls; the contract is a folder of modules. */
export type Module = Readonly<Record<string, Call>>
