import type { EngineError, Outcome } from '../../engine/outcome.ts'
import type { SessionFacts } from '../../engine/session.ts'
import { sessionClosed } from './run-state.ts'

/** Each keeps one of the 64 threads on which statements run. */
const MOST = 16
const MOST_OF_A_USER = 2

/**
 * Statements that were cancelled and do not stop: DuckDB checks for an interrupt between two steps, and a single
 * step, such as binding a text or sorting a list, may take hours. Their sessions are given up, they run to their
 * end, and nothing of what they do takes effect. The engine keeps running for all other users.
 */
export class StubbornStatements {
  private count = 0
  private readonly ofUsers = new Map<string, number>()

  /** Whether there is room for another one: where there is none, only the end of the process helps. */
  get hasRoom(): boolean {
    return this.count < MOST
  }

  /** Until `end`. */
  add(user: string, end: Promise<unknown>): void {
    this.change(user, 1)
    void end.finally(() => this.change(user, -1))
  }

  /** Why this user cannot run anything now; null when they can. */
  refusal(user: string): EngineError | null {
    const own = this.ofUsers.get(user) ?? 0
    if (user === '' || own < MOST_OF_A_USER) return null
    const message = `${own} of your stopped statements still use the engine, in a step that cannot be interrupted. Wait until one of them ends, or suspend the warehouse.`
    return { kind: 'resource', message }
  }

  private change(user: string, by: number): void {
    this.count += by
    const own = (this.ofUsers.get(user) ?? 0) + by
    if (own > 0) this.ofUsers.set(user, own)
    else this.ofUsers.delete(user)
  }
}

/** Answers in the place of a statement that does not. */
export type GivesUp = (outcome: Outcome) => void

export function orGivenUp(ended: Promise<Outcome>): { outcome: Promise<Outcome>; giveUp: GivesUp } {
  const { promise, resolve } = withResolver()
  return { outcome: Promise.race([ended, promise]), giveUp: resolve }
}

function withResolver(): { promise: Promise<Outcome>; resolve: GivesUp } {
  const given: GivesUp[] = []
  const promise = new Promise<Outcome>((resolve) => void given.push(resolve))
  return { promise, resolve: (outcome) => given[0]?.(outcome) }
}

/** The end of the statement that does not stop, and of one that waited for its turn behind it. */
export const givenUp = (session: SessionFacts, isStubborn: boolean): Outcome =>
  isStubborn
    ? { state: 'cancelled', session, sessionEnded: true }
    : { state: 'failed', error: sessionClosed(), session, sessionEnded: true }
