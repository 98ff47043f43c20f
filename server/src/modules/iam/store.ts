import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export type IamRoleRow = Selectable<Schema['iam_roles']>

export const rolesOf = (db: Kysely<Schema>, accountId: string): Promise<IamRoleRow[]> =>
  db
    .selectFrom('iam_roles')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at', 'desc')
    .orderBy('role_arn')
    .execute()

/** Locks the account's row, so that registrations of the same moment are counted one after the other. */
export async function countRoles(trx: Transaction<Schema>, accountId: string): Promise<number> {
  await trx
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .execute()
  const { count } = await trx
    .selectFrom('iam_roles')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return count
}

/** False: it is there already. */
export async function insertRole(
  trx: Transaction<Schema>,
  row: Insertable<Schema['iam_roles']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('iam_roles')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return (numInsertedOrUpdatedRows ?? 0n) > 0n
}

export const deleteRole = (
  trx: Transaction<Schema>,
  accountId: string,
  roleArn: string,
): Promise<IamRoleRow | undefined> =>
  trx
    .deleteFrom('iam_roles')
    .where('account_id', '=', accountId)
    .where('role_arn', '=', roleArn)
    .returningAll()
    .executeTakeFirst()

export async function isRegistered(db: Kysely<Schema>, accountId: string, roleArn: string): Promise<boolean> {
  const found = await db
    .selectFrom('iam_roles')
    .select('role_arn')
    .where('account_id', '=', accountId)
    .where('role_arn', '=', roleArn)
    .executeTakeFirst()
  return found !== undefined
}

/** Made when it is first asked for, and never changed: the owners of roles have written it down. */
export async function externalIdOf(db: Kysely<Schema>, accountId: string, draft: string): Promise<string> {
  await db
    .insertInto('iam_external_ids')
    .values({ account_id: accountId, external_id: draft })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { external_id } = await db
    .selectFrom('iam_external_ids')
    .select('external_id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return external_id
}
