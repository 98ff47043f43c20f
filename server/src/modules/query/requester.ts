import { type Actor, requireOpenAccount } from '../../kernel/actor.ts'

/**
 * Who sends statements. Roles and sign-ins change while a connection is open, so each request is decided by those of
 * this moment. Who somebody is does not change, so a request is written down while that is being found out.
 */
export interface Requester {
  /** With the roles of when the connection was opened. */
  readonly known: Actor
  /**
   * With the roles of this moment; rejects with an `AppError` when the sign-in has ended. With an `identityVersion` that
   * was just read, the database is asked only when somebody's roles have changed.
   */
  now(identityVersion?: number): Promise<Actor>
}

/** The same requester, refused at `now` when `require` refuses them. */
export const requiring = (
  { known, now }: Requester,
  require: (actor: Actor) => void | Promise<void>,
): Requester => ({
  known,
  async now(identityVersion) {
    const actor = await now(identityVersion)
    await require(actor)
    return actor
  },
})

/** ACCOUNT-86: users of a frozen account get that as their answer. */
export const inOpenAccount = (requester: Requester): Requester =>
  requiring(requester, ({ accountState }) => requireOpenAccount(accountState))
