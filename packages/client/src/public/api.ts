import type { Call, Output, Sent } from '@boathouse/contract/call'
import { contract } from '@boathouse/contract/contract'

export type { CodeName } from '@boathouse/contract/codes'

export interface CallOptions {
  /** Ends the wait for the answer; the call rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** What a caller leaves out where nothing is required. */
// An object without any field, which is what is sent then.
// oxlint-disable-next-line typescript/no-generated-empty-object-type
type Sending<C extends Call> = Record<never, never> extends Sent<C> ? [input?: Sent<C>] : [input: Sent<C>]

type Function<C extends Call> = (...sent: [...Sending<C>, options?: CallOptions]) => Promise<Output<C>>

type Contract = typeof contract

/** Every call of the contract. The package has the same with plain types; see scripts/client-types.mjs. */
export type Api = {
  readonly [M in keyof Contract]: {
    readonly [N in keyof Contract[M]]: Contract[M][N] extends Call ? Function<Contract[M][N]> : never
  }
}

type Ask = (call: Call, input: unknown, options: CallOptions) => Promise<unknown>

/** Every call as a function. */
export function createApi(ask: Ask): Api {
  const modules = Object.entries(contract).map(([name, calls]) => {
    const functions = Object.entries<Call>(calls).map(([own, call]) => [
      own,
      (input: unknown = {}, options: CallOptions = {}) => ask(call, input, options),
    ])
    return [name, Object.fromEntries(functions)]
  })
  return Object.fromEntries(modules) as Api
}
