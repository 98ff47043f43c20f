import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'

export interface Past {
  readonly accountId: string
  readonly count: number
  /** Of one who ran a fiftieth of them. */
  readonly user: { readonly id: string; readonly name: string }
  /** In which a third of them ran, and in which one did. */
  readonly warehouses: { readonly busy: string; readonly rare: string }
}

const AT_ONCE = 250_000

interface Definition {
  readonly name: string
  readonly definition: string
}

interface Key extends Definition {
  readonly month: string
}

/** Indexes are made much sooner of all rows than with each, and nothing that is made here was sent before. */
async function withoutIndexes(client: Client, work: () => Promise<void>): Promise<void> {
  const { rows: keys } = await client.query<Key>(
    `select conrelid::regclass::text as month, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype in ('p', 'u')
       and conrelid in (select inhrelid from pg_inherits where inhparent = 'statements'::regclass)`,
  )
  for (const { month, name } of keys) await client.query(`alter table ${month} drop constraint "${name}"`)
  const { rows: indexes } = await client.query<Definition>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'statements' and schemaname = current_schema()`,
  )
  for (const { name } of indexes) await client.query(`drop index "${name}"`)
  await client.query('alter table statements disable trigger statements_once')
  await work()
  await client.query('alter table statements enable trigger statements_once')
  for (const { month, name, definition } of keys)
    await client.query(`alter table ${month} add constraint "${name}" ${definition}`)
  for (const { definition } of indexes) await client.query(definition.replace(' ON ONLY ', ' ON '))
}

/** So many statements of the last 80 days, by fifty users, as if they had run; most of them short and well. */
export async function addPastStatements(client: Client, past: Past): Promise<void> {
  const { accountId, count, user, warehouses } = past
  await client.query('set synchronous_commit = off')
  await client.query(`set maintenance_work_mem = '256MB'`)
  await client.query(
    `select add_statement_month(day::date) from generate_series(now() - interval '80 days', now(), '10 days') day`,
  )
  await withoutIndexes(client, async () => {
    for (let first = 1; first <= count; first += AT_ONCE)
      await client.query(
        `insert into statements (query_id, account_id, user_id, user_name, request_id, statement_index,
           statement_count, door, sql, kind, state, warehouse_id, accepted_at, started_at, ended_at, row_count)
         select uuidv7(at - now()), $1, case n % 50 when 5 then $2::uuid else md5((n % 50)::text)::uuid end,
           case n % 50 when 5 then $3 else 'user_' || n % 50 end, 'request-' || n, 0, 1,
           case when n % 40 = 0 then 'mysql' else 'channel' end,
           'select ' || repeat('some_column, ', n % 24) || 'id from sales.t_' || n % 1000 || ' where id = ' || n, 'select',
           case when n % 50 = 0 then 'failed' when n % 5000 = 7 then 'cancelled' else 'finished' end,
           case when n = 77777 then $5::uuid when n % 3 = 0 then $4::uuid end,
           at, at, at + case when n % 100 = 0 then interval '1 min' when n % 20000 = 3 then interval '1 h'
             else interval '200 ms' end, n % 1000
         from (select n, now() - n * (interval '80 days' / $6) as at
           from generate_series($7::int, $8::int) n) made`,
        [
          accountId,
          user.id,
          user.name,
          warehouses.busy,
          warehouses.rare,
          count,
          first,
          Math.min(count, first + AT_ONCE - 1),
        ],
      )
  })
  await client.query('vacuum analyze statements')
}

/** A user without roles, who signs in with the password of the first one. */
export async function addPlainUser(client: Client, like: { accountId: string; username: string }) {
  const user = { id: randomUUID(), name: `plain_${randomUUID().slice(0, 8)}` }
  await client.query(
    `insert into users (user_id, account_id, name, password_hash, is_org_admin, created_at, password_changed_at)
     select $1, account_id, $2, password_hash, false, created_at, password_changed_at from users
     where account_id = $3 and name = $4`,
    [user.id, user.name, like.accountId, like.username],
  )
  return user
}
