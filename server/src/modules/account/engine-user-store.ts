import { type Kysely, sql } from 'kysely'
import type { UserRange } from '../../engines/engine/local-space.ts'
import type { Schema } from '../../store/schema.ts'

export function createEngineUserStore(db: Kysely<Schema>) {
  return {
    find: (accountId: string) =>
      db.selectFrom('engine_users').select('os_user').where('account_id', '=', accountId).executeTakeFirst(),

    /** Undefined when none is free, or somebody else was faster. */
    async choose(accountId: string, { first, last }: UserRange) {
      const { rows } = await sql<{ os_user: number }>`
        insert into engine_users (account_id, os_user)
        select ${accountId}, free from generate_series(${first}::int, ${last}::int) as free
        where not exists (select from engine_users where os_user = free)
        order by random() limit 1
        on conflict do nothing
        returning os_user`.execute(db)
      return rows[0]
    },
  }
}
