import { LIFE_CYCLE_STATES, SHELL_STATES } from '@boathouse/contract'
import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export type AccountRow = Selectable<Schema['accounts']>
export type AccountChange = Updateable<Schema['accounts']>

export const findAccount = (db: Kysely<Schema>, accountId: string): Promise<AccountRow | undefined> =>
  db.selectFrom('accounts').selectAll().where('account_id', '=', accountId).executeTakeFirst()

export const lockAccountRow = (
  trx: Transaction<Schema>,
  accountId: string,
): Promise<AccountRow | undefined> =>
  trx.selectFrom('accounts').selectAll().where('account_id', '=', accountId).forUpdate().executeTakeFirst()

export const lockAccountsOf = (trx: Transaction<Schema>, organisationId: string) =>
  trx
    .selectFrom('accounts')
    .select(['account_id', 'state', 'shell_state', 'freeze_reason'])
    .where('organisation_id', '=', organisationId)
    .orderBy('account_id')
    .forUpdate()
    .execute()

/** Undefined when the id is taken. */
export const insertAccountRow = (trx: Transaction<Schema>, row: Insertable<Schema['accounts']>) =>
  trx
    .insertInto('accounts')
    .values(row)
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .returning('account_id')
    .executeTakeFirst()

export const updateAccount = (
  db: Kysely<Schema>,
  accountId: string,
  change: AccountChange,
): Promise<AccountRow> =>
  db
    .updateTable('accounts')
    .set(change)
    .where('account_id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow()

export const pendingAccounts = (db: Kysely<Schema>, limit: number): Promise<AccountRow[]> =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where('state', '=', LIFE_CYCLE_STATES.Pending)
    .where('held_elsewhere', '=', false)
    .orderBy('created_at')
    .limit(limit)
    .execute()

const idsIn = async (rows: Promise<{ account_id: string }[]>): Promise<string[]> =>
  (await rows).map((row) => row.account_id)

export const notActiveAmong = (db: Kysely<Schema>, accountIds: readonly string[]) =>
  idsIn(
    db
      .selectFrom('accounts')
      .select('account_id')
      .where('account_id', 'in', [...accountIds])
      .where('shell_state', '<>', SHELL_STATES.Active)
      .execute(),
  )

export const resumingAccounts = (db: Kysely<Schema>, limit: number) =>
  idsIn(
    db
      .selectFrom('accounts')
      .select('account_id')
      .where('shell_state', '=', SHELL_STATES.Resuming)
      .where('held_elsewhere', '=', false)
      .limit(limit)
      .execute(),
  )

/** Frozen until a day that has come. */
export const expiredAccounts = (db: Kysely<Schema>, now: Date, limit: number) =>
  idsIn(
    db
      .selectFrom('accounts')
      .select('account_id')
      .where('shell_state', '=', SHELL_STATES.FrozenForDeletion)
      .where('delete_at', '<=', now)
      .limit(limit)
      .execute(),
  )

export const releasedBefore = (db: Kysely<Schema>, at: Date, limit: number) =>
  idsIn(
    db
      .selectFrom('accounts')
      .select('account_id')
      .where('state', '=', LIFE_CYCLE_STATES.Deleting)
      .where('held_elsewhere', '=', false)
      .where('deleting_since', '<=', at)
      .orderBy('deleting_since')
      .limit(limit)
      .execute(),
  )

/** False when somebody has brought it back in the meantime. */
export const beginPurge = async (db: Kysely<Schema>, accountId: string, at: Date): Promise<boolean> =>
  (await db
    .updateTable('accounts')
    .set({ purge_began_at: at })
    .where('account_id', '=', accountId)
    .where('state', '=', LIFE_CYCLE_STATES.Deleting)
    .returning('account_id')
    .executeTakeFirst()) !== undefined

export const wasDeleted = async (db: Kysely<Schema>, accountId: string): Promise<boolean> =>
  (await db
    .selectFrom('deleted_accounts')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()) !== undefined

/** Who made the account, and not who administers it: often somebody of the root account. */
export const makerOf = ({ created_by, creator }: Pick<AccountRow, 'created_by' | 'creator'>): string =>
  created_by ?? creator

/** Everything that belongs to the account refers to it, and goes with it; so does an organisation without others. */
export async function deleteAccountRows(
  trx: Transaction<Schema>,
  account: AccountRow,
  deletedAt: Date,
): Promise<void> {
  const { account_id, organisation_id, name, csp, region, edition, created_at } = account
  await trx
    .insertInto('deleted_accounts')
    .values({
      account_id,
      organisation_id,
      name,
      csp,
      region,
      edition,
      creator: makerOf(account),
      created_at,
      deleted_at: deletedAt,
    })
    .execute()
  await trx.deleteFrom('accounts').where('account_id', '=', account_id).execute()
  await trx
    .deleteFrom('organisations')
    .where('organisation_id', '=', organisation_id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('accounts').select('account_id').where('organisation_id', '=', organisation_id))),
    )
    .execute()
}
