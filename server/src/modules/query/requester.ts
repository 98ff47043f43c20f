import type { Actor } from '../../kernel/actor.ts'

/**
 * Who asks for something to be run. Roles and logins change while a channel is open, so that it is decided by what
 * holds now; who somebody is does not change, so that a request is written down while that is being found out.
 */
export interface Requester {
  /** With the roles of when the channel was opened. */
  readonly known: Actor
  /**
   * With the roles of this moment; rejects with an `AppError` when the login has ended. Whoever has just been told the
   * `identityVersion` by the database spares it the question, unless somebody's roles have changed.
   */
  now(identityVersion?: number): Promise<Actor>
}
