import { type Kysely, sql } from 'kysely'
import { compiledOnce } from '../../store/compiled-once.ts'
import type { Schema } from '../../store/schema.ts'

/** Everything that decides who a user is and what they may do, in one row. */
const identity = (db: Kysely<Schema>) =>
  db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.account_id', 'users.account_id')
    .innerJoin('organisations', 'organisations.organisation_id', 'accounts.organisation_id')
    .select([
      'users.user_id',
      'users.name as user',
      'users.email',
      'users.is_org_admin',
      'accounts.account_id',
      'accounts.name as account_name',
      'accounts.shell_state',
      'accounts.edition',
      'accounts.creator',
      'accounts.region',
      'organisations.source',
      'organisations.identity',
      sql<string[]>`array(select role from user_roles where user_roles.user_id = users.user_id
        and user_roles.active order by role)`.as('active_roles'),
    ])

export function createUserStore(db: Kysely<Schema>) {
  const byLogin = compiledOnce(db, (values: { tokenHash: Buffer }) =>
    identity(db)
      .innerJoin('logins', 'logins.user_id', 'users.user_id')
      .select(({ selectFrom }) => [
        'logins.last_used_at',
        'logins.expires_at',
        selectFrom('identity_version').select('version').as('identity_version'),
      ])
      .where('logins.token_hash', '=', values.tokenHash),
  )

  return {
    findByName: (accountId: string, name: string) =>
      identity(db)
        .select('users.password_hash')
        .where('users.account_id', '=', accountId)
        .where(sql<string>`lower(users.name)`, '=', name.toLowerCase())
        .executeTakeFirst(),

    findByLogin: async (tokenHash: Buffer) => (await byLogin({ tokenHash }))[0],

    insertLogin: (login: {
      token_hash: Buffer
      user_id: string
      account_id: string
      created_at: Date
      last_used_at: Date
      expires_at: Date
      client_ip: string
    }) => db.insertInto('logins').values(login).execute(),

    touchLogin: (tokenHash: Buffer, at: Date) =>
      db.updateTable('logins').set({ last_used_at: at }).where('token_hash', '=', tokenHash).execute(),

    deleteLogin: (tokenHash: Buffer) => db.deleteFrom('logins').where('token_hash', '=', tokenHash).execute(),

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
export type Identity = Omit<LoginRow, 'last_used_at' | 'expires_at' | 'identity_version'>
