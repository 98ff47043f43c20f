import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export type RecordRow = Selectable<Schema['marketplace_records']>

/** False when there is one of this hour already. */
export const insertRecord = async (
  trx: Transaction<Schema>,
  row: Insertable<Schema['marketplace_records']>,
): Promise<boolean> =>
  (await trx
    .insertInto('marketplace_records')
    .values(row)
    .onConflict((conflict) => conflict.columns(['organisation_id', 'dimension', 'hour']).doNothing())
    .returning('record_id')
    .executeTakeFirst()) !== undefined

/** Locked until they are marked as being sent: of one product, those that wait longest first. */
export async function takeDueRecords(
  trx: Transaction<Schema>,
  { marketplace, now, limit }: { marketplace: string; now: Date; limit: number },
): Promise<RecordRow[]> {
  const due = () =>
    trx
      .selectFrom('marketplace_records')
      .selectAll()
      .where('marketplace', '=', marketplace)
      .where('state', '=', 'open')
      .where('next_attempt_at', '<=', now)
      .orderBy('next_attempt_at')
      .orderBy('record_id')
  const first = await due().limit(1).executeTakeFirst()
  if (!first) return []
  return due().where('product', '=', first.product).limit(limit).forUpdate().skipLocked().execute()
}

/** False when it is not open any more. */
export const changeOpenRecord = async (
  db: Kysely<Schema>,
  recordId: string,
  change: Updateable<Schema['marketplace_records']>,
): Promise<boolean> =>
  (await db
    .updateTable('marketplace_records')
    .set(change)
    .where('record_id', '=', recordId)
    .where('state', '=', 'open')
    .returning('record_id')
    .executeTakeFirst()) !== undefined

/** Locked. */
export const lockRecord = (trx: Transaction<Schema>, recordId: string) =>
  trx
    .selectFrom('marketplace_records')
    .selectAll()
    .where('record_id', '=', recordId)
    .forUpdate()
    .executeTakeFirst()

export const changeRecord = (
  trx: Transaction<Schema>,
  recordId: string,
  change: Updateable<Schema['marketplace_records']>,
) => trx.updateTable('marketplace_records').set(change).where('record_id', '=', recordId).execute()

export const deleteRecord = (trx: Transaction<Schema>, recordId: string) =>
  trx.deleteFrom('marketplace_records').where('record_id', '=', recordId).execute()

/** The newest first. */
export const recordsOf = (db: Kysely<Schema>, organisationId: string | undefined, limit: number) =>
  db
    .selectFrom('marketplace_records')
    .selectAll()
    .$if(organisationId !== undefined, (query) => query.where('organisation_id', '=', organisationId ?? ''))
    .orderBy('hour', 'desc')
    .orderBy('record_id')
    .limit(limit)
    .execute()
