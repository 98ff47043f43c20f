import { LIFE_CYCLE_STATES, SHELL_STATES } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import { compiledOnce } from '../../store/compiled-once.ts'
import type { Schema } from '../../store/schema.ts'

/** Everything that decides who a user is and what they may do, in one row. */
const identity = (db: Kysely<Schema>) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .innerJoin('organisations', 'organisations.organisation_id', 'accounts.organisation_id')
    .select(({ selectFrom }) => [
      'users.user_id',
      'users.name as user',
      'users.email',
      'users.is_org_admin',
      'accounts.account_id',
      'accounts.name as account_name',
      'accounts.shell_state',
      'accounts.edition',
      'accounts.creator',
      'accounts.creator_id',
      'accounts.region',
      'organisations.source',
      'organisations.identity',
      // With what they inherit, as far as people have said so; the contract knows the rest.
      sql<string[]>`array(
        with recursive active (role) as (
          select role from user_roles where user_roles.user_id = users.user_id and user_roles.active
          union
          select role_roles.granted from active join role_roles
            on role_roles.account_id = users.account_id and role_roles.role = active.role)
        select role from active order by role)`.as('active_roles'),
      sql<string[]>`array(select role from user_roles where user_roles.user_id = users.user_id
        order by role)`.as('held_roles'),
      selectFrom('identity_versions')
        .select('version')
        .whereRef('identity_versions.account_id', '=', 'users.account_id')
        .as('identity_version'),
    ])

export function createUserStore(db: Kysely<Schema>) {
  const byLogin = compiledOnce(db, (values: { tokenHash: Buffer }) =>
    identity(db)
      .innerJoin('logins', 'logins.user_id', 'users.user_id')
      .select(['logins.last_used_at', 'logins.expires_at'])
      .where('logins.token_hash', '=', values.tokenHash),
  )

  /** Asked with every small load, and with every connection of a program. */
  const byId = compiledOnce(db, ({ userId }: { userId: string }) =>
    identity(db).select('users.password_hash').where('users.user_id', '=', userId),
  )

  return {
    /** Nobody is found in an account that is closed, unless it is only not open yet. */
    findByName: (accountId: string, name: string) =>
      identity(db)
        .select('users.password_hash')
        .where('users.account_id', '=', accountId)
        .where((eb) =>
          eb.or([
            eb('accounts.shell_state', '<>', SHELL_STATES.Closed),
            eb('accounts.state', '=', LIFE_CYCLE_STATES.Pending),
          ]),
        )
        .where(sql<string>`lower(users.name)`, '=', name.toLowerCase())
        .executeTakeFirst(),

    /** Where an account is that another server has; null: here, or nowhere. Not a secret: the sign-in page asks for it. */
    regionElsewhere: async (accountId: string): Promise<string | null> =>
      (
        await db
          .selectFrom('accounts')
          .select('region')
          .where('account_id', '=', accountId)
          .where('held_elsewhere', '=', true)
          .executeTakeFirst()
      )?.region ?? null,

    findById: async (userId: string) => (await byId({ userId }))[0],

    /** Letter case ignored, as everywhere. */
    findByEmail: (accountId: string, email: string) =>
      identity(db)
        .where('users.account_id', '=', accountId)
        .where(sql<string>`lower(users.email)`, '=', email.toLowerCase())
        .executeTakeFirst(),

    findByLogin: async (tokenHash: Buffer) => (await byLogin({ tokenHash }))[0],

    touchLogin: (tokenHash: Buffer, at: Date) =>
      db.updateTable('logins').set({ last_used_at: at }).where('token_hash', '=', tokenHash).execute(),

    deleteEndedLogins: (idleSince: Date, now: Date) =>
      db
        .deleteFrom('logins')
        .where((eb) => eb.or([eb('last_used_at', '<', idleSince), eb('expires_at', '<', now)]))
        .execute(),
  }
}

export type UserStore = ReturnType<typeof createUserStore>
/** Of a user who has logged in. */
export type LoginRow = NonNullable<Awaited<ReturnType<UserStore['findByLogin']>>>
export type Identity = Omit<LoginRow, 'last_used_at' | 'expires_at'>
