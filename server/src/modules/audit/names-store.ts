import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../store/schema.ts'

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/

/** What ids are called now, of users and warehouses of an account and of accounts of its organisation. */
export function createNamesStore(db: Kysely<Schema>) {
  return async function namesOf(
    accountId: string,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map()
    const uuids = ids.filter((id) => UUID.test(id))
    const { rows } = await sql<{ id: string; name: string }>`
      with own as (select organisation_id from accounts where account_id = ${accountId})
      select user_id::text as id, name from users
        where user_id = any(${uuids}::uuid[]) and account_id = ${accountId}
      union all select warehouse_id::text, name from warehouses
        where warehouse_id = any(${uuids}::uuid[]) and account_id = ${accountId}
      union all select account_id, name from accounts
        where account_id = any(${ids}::text[]) and organisation_id = (select organisation_id from own)
      union all select organisation_id::text, name from organisations
        where organisation_id = any(${uuids}::uuid[])
          and organisation_id = (select organisation_id from own)`.execute(db)
    return new Map(rows.map(({ id, name }) => [id, name]))
  }
}
