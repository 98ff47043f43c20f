import type { Call, Input, Output } from '@boathouse/contract'
import type { Actor, Caller } from '../../kernel/actor.ts'
import type { ImplementedCall } from '../../kernel/implement.ts'
import type { Queries } from '../../modules/query/service.ts'
import type { SignedInProgram } from '../../modules/user/plain-sign-in.ts'

/** Who sends one request, and until when anybody waits for its answer. */
export interface Agent {
  readonly signedIn: SignedInProgram
  readonly clientIp: string
  /** What it says of itself. */
  readonly program: string
  readonly requestId: string
  /** Aborted when the client has hung up. */
  readonly gone: AbortSignal
}

/** What agents are served by: the same that serves the console and its calls. */
export interface AgentParts {
  readonly connections: Pick<Queries['connections'], 'open'>
  readonly calls: readonly ImplementedCall[]
}

export type Ask = <C extends Call>(call: C, input: Input<C>) => Promise<Output<C>>

/** Calls of the API in the name of an agent. */
export function asking({ calls }: Pick<AgentParts, 'calls'>, agent: Agent): Ask {
  const from: Caller & { readonly actor: Actor } = {
    requestId: agent.requestId,
    clientIp: agent.clientIp,
    userAgent: agent.program,
    actor: agent.signedIn.known,
  }
  return async <C extends Call>(call: C, input: Input<C>) => {
    const found = calls.find((one) => one.call.path === call.path)
    if (!found) throw new Error(`There is no call ${call.path}.`)
    return (await found.handle(from, input)) as Output<C>
  }
}
