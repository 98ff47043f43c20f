import { LIFE_CYCLE_STATES, LIMITS } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { findUser, findUserById } from '../user/people-store.ts'

/** Every question names the account that asks: nobody sees another organisation. */
export function createOrgStore(db: Kysely<Schema>) {
  return {
    organisationOf: (accountId: string) =>
      db
        .selectFrom('accounts')
        .innerJoin('organisations', 'organisations.organisation_id', 'accounts.organisation_id')
        .select([
          'organisations.organisation_id',
          'organisations.name',
          'organisations.root_account_id',
          'organisations.created_at',
          'organisations.source',
          'organisations.identity',
          'accounts.freeze_reason',
        ])
        .where('accounts.account_id', '=', accountId)
        .executeTakeFirstOrThrow(),

    accountsOf: (organisationId: string) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('organisation_id', '=', organisationId)
        .orderBy('created_at')
        .orderBy('name')
        .limit(LIMITS.accountsPerOrganisation)
        .execute(),

    deletedOf: (organisationId: string) =>
      db
        .selectFrom('deleted_accounts')
        .selectAll()
        .where('organisation_id', '=', organisationId)
        .orderBy('deleted_at', 'desc')
        .orderBy('account_id')
        .limit(LIMITS.accountsPerOrganisation)
        .execute(),

    /** Also one that is not open; of this organisation alone. */
    account: (organisationId: string, accountId: string) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('organisation_id', '=', organisationId)
        .where('account_id', '=', accountId)
        .executeTakeFirst(),

    allAccounts: (organisationId: string | undefined) =>
      db
        .selectFrom('accounts')
        .innerJoin('organisations', 'organisations.organisation_id', 'accounts.organisation_id')
        .selectAll('accounts')
        .select(['organisations.name as organisation', 'organisations.root_account_id'])
        .$if(organisationId !== undefined, (query) =>
          query.where('accounts.organisation_id', '=', organisationId ?? ''),
        )
        .orderBy('accounts.created_at')
        .orderBy('accounts.name')
        .orderBy('accounts.account_id')
        .limit(LIMITS.listedObjects)
        .execute(),

    allOrganisations: () =>
      db
        .selectFrom('organisations')
        .leftJoin('trials', 'trials.organisation_id', 'organisations.organisation_id')
        .select([
          'organisations.organisation_id as org',
          'organisations.name',
          'organisations.root_account_id as root',
          'organisations.identity',
          'organisations.source',
          sql<number>`(select count(*)::int from accounts
            where accounts.organisation_id = organisations.organisation_id)`.as('accounts'),
          'trials.ends_at as trialEnds',
          'trials.ended_at as trialEnded',
        ])
        .orderBy('organisations.created_at')
        .orderBy('organisations.name')
        .orderBy('organisations.organisation_id')
        .limit(LIMITS.listedObjects)
        .execute(),

    isRootOfOthers: async (accountId: string): Promise<boolean> =>
      (await db
        .selectFrom('organisations')
        .innerJoin('accounts', 'accounts.organisation_id', 'organisations.organisation_id')
        .select('accounts.account_id')
        .where('organisations.root_account_id', '=', accountId)
        .where('accounts.account_id', '<>', accountId)
        .executeTakeFirst()) !== undefined,

    emailOf: async (accountId: string, user: string): Promise<string> =>
      (await findUser(db, accountId, user))?.email ?? '',

    /** Empty for nobody, for who is gone, and for who has none. */
    emailOfUser: async (userId: string | null): Promise<string> =>
      (userId === null ? undefined : await findUserById(db, userId))?.email ?? '',

    countOpen: async (organisationId: string): Promise<number> => {
      const { count } = await db
        .selectFrom('accounts')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('organisation_id', '=', organisationId)
        .where('state', '<>', LIFE_CYCLE_STATES.Rejected)
        .executeTakeFirstOrThrow()
      return count
    },
  }
}

export type OrgStore = ReturnType<typeof createOrgStore>
