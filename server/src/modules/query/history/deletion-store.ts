import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../store/schema.ts'

const AT_ONCE = 2_000

/** Of an account that goes. The history can be long: it goes in pieces, before the rest goes in one. */
export async function deleteStatementsOf(db: Kysely<Schema>, accountId: string): Promise<void> {
  await sql`delete from statement_journal where account_id = ${accountId}`.execute(db)
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from statements where query_id in (
        select query_id from statements where account_id = ${accountId} limit ${AT_ONCE}
      )`.execute(db)
    if (Number(numAffectedRows ?? 0) < AT_ONCE) return
  }
}
