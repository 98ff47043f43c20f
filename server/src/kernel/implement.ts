import type { Call, Input, Module, Output } from '@boathouse/contract'
import type { Actor, Caller } from './actor.ts'

/** A call that needs a login gets an actor; others get only the caller. */
type Handler<C extends Call> = (
  from: C['needs'] extends 'nothing' ? Caller : Caller & { readonly actor: Actor },
  input: Input<C>,
) => Promise<Output<C>>

export type Handlers<M extends Module> = { readonly [K in keyof M]: Handler<M[K]> }

export interface ImplementedCall {
  readonly call: Call
  readonly handle: (from: Caller & { readonly actor?: Actor }, input: unknown) => Promise<unknown>
}

/** Ties a module's calls to their handlers: a missing handler or a wrong shape does not compile. */
export function implement<M extends Module>(module: M, handlers: Handlers<M>): ImplementedCall[] {
  return Object.entries(module).map(([name, call]) => ({
    call,
    handle: handlers[name] as unknown as ImplementedCall['handle'],
  }))
}
