import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../store/schema.ts'
import { forgetMonths } from '../../quota/room.ts'

/** The months that the history lies in: each is a table. */
export function createMonthStore(db: Kysely<Schema>) {
  /** It waits for who reads the history at this moment, and who comes meanwhile waits for it: not for long. */
  const drop = (name: string, until: Date) =>
    db.transaction().execute(async (trx) => {
      await sql`set local lock_timeout = '2s'`.execute(trx)
      await sql`drop table if exists ${sql.table(name)}`.execute(trx)
      await trx.deleteFrom('statement_months').where('name', '=', name).execute()
      // The last month that lay in it.
      await forgetMonths(trx, new Date(until.getTime() - 1).toISOString().slice(0, 7))
    })

  return {
    /** Nothing happens when it is there. */
    add: async (month: Date): Promise<void> => {
      await sql`select add_statement_month(${month.toISOString().slice(0, 10)}::date)`.execute(db)
    },

    async dropUntil(until: Date): Promise<void> {
      const expired = await db
        .selectFrom('statement_months')
        .select(['name', 'until'])
        .where('until', '<=', until)
        .orderBy('until')
        .execute()
      for (const month of expired) await drop(month.name, month.until)
    },
  }
}
