import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export function createErrorReportStore(db: Kysely<Schema>) {
  return {
    insert: (message: string, at: Date) =>
      db.insertInto('client_errors').values({ message, created_at: at }).execute(),

    /** Those from before, and all but the newest. */
    async deleteOld(before: Date, newest: number, most: number): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from client_errors where client_error_id in (
          select client_error_id from client_errors
          where created_at < ${before} or client_error_id <= (
            select client_error_id from client_errors order by client_error_id desc offset ${newest} limit 1)
          order by client_error_id limit ${most})`.execute(db)
      return Number(numAffectedRows ?? 0)
    },
  }
}
