import type { Insertable, Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export const insertDiscount = (db: Kysely<Schema>, row: Insertable<Schema['discounts']>) =>
  db.insertInto('discounts').values(row).execute()

/** More than an operator sets in years. */
const MOST = 500

/** The one that was set last first. */
export const discountsOf = (db: Kysely<Schema>, organisationId: string) =>
  db
    .selectFrom('discounts')
    .select(['basis_points', 'from_month', 'until_month'])
    .where('organisation_id', '=', organisationId)
    .orderBy('set_at', 'desc')
    .orderBy('discount_id')
    .limit(MOST)
    .execute()
