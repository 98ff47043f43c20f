import type { Insertable, Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

/** Accounts that servers of other regions have: what these are to do, and what was agreed on with them. */

export const insertRegionalAccount = (
  trx: Transaction<Schema>,
  row: Insertable<Schema['regional_accounts']>,
) => trx.insertInto('regional_accounts').values(row).execute()

interface DueQuestion {
  readonly region: string
  /** An order that was sent before is sent again. */
  readonly ordersBefore: Date
  /** An account with nothing to order is looked at again. */
  readonly othersBefore: Date
  readonly limit: number
}

/** Of a region: those with orders, and those that were not asked about for long. The longest first. */
export const dueRegionalAccounts = (
  db: Kysely<Schema>,
  { region, ordersBefore, othersBefore, limit }: DueQuestion,
) =>
  db
    .selectFrom('regional_accounts as regional')
    .innerJoin('accounts', 'accounts.account_id', 'regional.account_id')
    .innerJoin('organisations', 'organisations.organisation_id', 'accounts.organisation_id')
    .selectAll('accounts')
    .select([
      'regional.admin_email',
      'regional.invited_by',
      'regional.agreed_state',
      'regional.agreed_shell_state',
      'regional.agreed_edition',
      'organisations.name as organisation_name',
      'organisations.identity',
      'organisations.source',
      'organisations.created_at as organisation_created_at',
    ])
    .where('accounts.region', '=', region)
    .where('accounts.held_elsewhere', '=', true)
    .where(({ or, eb, and, not, ref }) =>
      or([
        eb('regional.asked_at', 'is', null),
        eb('regional.asked_at', '<=', othersBefore),
        and([
          eb('regional.asked_at', '<=', ordersBefore),
          not(
            and([
              eb('accounts.state', '=', ref('regional.agreed_state')),
              eb('accounts.shell_state', '=', ref('regional.agreed_shell_state')),
              eb('accounts.edition', '=', ref('regional.agreed_edition')),
            ]),
          ),
        ]),
        and([eb('regional.asked_at', '<=', ordersBefore), eb('regional.agreed_state', 'is', null)]),
      ]),
    )
    .orderBy('regional.asked_at', (order) => order.asc().nullsFirst())
    .orderBy('accounts.account_id')
    .limit(limit)
    .execute()

export type DueAccount = Awaited<ReturnType<typeof dueRegionalAccounts>>[number]

export const markAsked = (db: Kysely<Schema>, accountIds: readonly string[], at: Date) =>
  db
    .updateTable('regional_accounts')
    .set({ asked_at: at })
    .where('account_id', 'in', [...accountIds])
    .execute()

export interface ReportedAccount {
  readonly state: number
  readonly shell_state: number
  readonly edition: string
  readonly freeze_reason: string | null
  readonly delete_at: Date | null
}

/** What the region says is so, unless it was asked for something else in the meantime. */
export async function agreeOn(
  trx: Transaction<Schema>,
  asked: Pick<DueAccount, 'account_id' | 'state' | 'shell_state' | 'edition'>,
  reported: ReportedAccount,
): Promise<boolean> {
  const changed = await trx
    .updateTable('accounts')
    .set({ ...reported })
    .where('account_id', '=', asked.account_id)
    .where('state', '=', asked.state)
    .where('shell_state', '=', asked.shell_state)
    .where('edition', '=', asked.edition)
    .returning('account_id')
    .executeTakeFirst()
  if (!changed) return false
  await trx
    .updateTable('regional_accounts')
    .set({
      agreed_state: reported.state,
      agreed_shell_state: reported.shell_state,
      agreed_edition: reported.edition,
    })
    .where('account_id', '=', asked.account_id)
    .execute()
  return true
}

/** On the server of a region: the organisation as the central one sends it. */
export const keepOrganisationOfCentral = (
  trx: Transaction<Schema>,
  row: Omit<Insertable<Schema['organisations']>, 'held_by_central'>,
) =>
  trx
    .insertInto('organisations')
    .values({ ...row, held_by_central: true })
    .onConflict((conflict) =>
      conflict
        .column('organisation_id')
        .doUpdateSet({ name: row.name, identity: row.identity, source: row.source })
        .where('organisations.held_by_central', '=', true),
    )
    .execute()

/** The organisation of an account that this region has; undefined: another one has it. */
export const organisationOfRegional = (db: Kysely<Schema>, accountId: string, region: string) =>
  db
    .selectFrom('accounts')
    .select('organisation_id')
    .where('account_id', '=', accountId)
    .where('region', '=', region)
    .where('held_elsewhere', '=', true)
    .executeTakeFirst()

/** Of the administrator for whom an account of another region was made. */
export const emailElsewhere = async (db: Kysely<Schema>, accountId: string): Promise<string> =>
  (
    await db
      .selectFrom('regional_accounts')
      .select('admin_email')
      .where('account_id', '=', accountId)
      .executeTakeFirst()
  )?.admin_email ?? ''
