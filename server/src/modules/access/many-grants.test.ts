import { objectOf } from '@boathouse/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { actorWith } from '../../testing/actor.ts'
import { startApp } from '../../testing/start-app.ts'
import { show } from '../../testing/store-kit.ts'
import { createAuthority } from './authority.ts'
import { createPeopleStore } from '../user/people-with-roles-store.ts'
import { createAccessStore } from './store.ts'

const ROLES = 1_000
const GRANTS = 100_000
const LEVELS = 16
const ASKED = 300
/** Of the way to the database and back. */
const COLD_TIMES = 20

const at = (share: number, times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)] ?? Number.POSITIVE_INFINITY
const p99 = (times: readonly number[]): number => at(0.99, times)
const median = (times: readonly number[]): number => at(0.5, times)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

test('a hundred thousand grants to a thousand roles over 16 levels are decided on in little time', async () => {
  const app = await startApp()
  const { db } = app.store
  const { accountId } = app
  await sql`insert into roles (account_id, name, comment, created_by, created_at)
    select ${accountId}, 'role_' || n, '', 'test', now() from generate_series(0, ${sql.lit(ROLES - 1)}) n`.execute(
    db,
  )
  // Chains of 16, so that a user with the first role of each has all.
  await sql`insert into role_roles (account_id, role, granted, granted_by, granted_at)
    select ${accountId}, 'role_' || n, 'role_' || n + 1, 'test', now()
    from generate_series(0, ${sql.lit(ROLES - 2)}) n where n % ${sql.lit(LEVELS)} < ${sql.lit(LEVELS - 1)}`.execute(
    db,
  )
  await sql`insert into grants
    (account_id, role, object_type, catalog_id, database, name, privileges, grantable, granted_by, granted_at)
    select ${accountId}, 'role_' || n % ${sql.lit(ROLES)}, 'table', 'default_catalog', 'main', 'table_' || n,
      array['SELECT'], array[]::text[], 'test', now() from generate_series(1, ${sql.lit(GRANTS)}) n`.execute(
    db,
  )
  await sql`analyze roles, role_roles, grants`.execute(db)

  const store = createAccessStore(db)
  const authority = createAuthority({ store })
  const heads = Array.from({ length: 62 }, (_, index) => `role_${index * LEVELS}`)
  const grace = { ...actorWith(accountId), heldRoles: heads }
  const actor = { ...grace, activeRoles: await authority.closure(grace, heads) }
  expect(actor.activeRoles).toHaveLength(62 * LEVELS)
  const table = (n: number) =>
    objectOf('table', { catalog: 'default_catalog', database: 'main', name: `table_${n}` })
  const ask = (n: number) => authority.may(actor, 'SELECT', table(n))
  expect([await ask(17), await ask(GRANTS + 1)]).toEqual([true, false])

  const numbers = Array.from({ length: ASKED }, (_, index) => (index * 331) % GRANTS)
  const cold: number[] = []
  const bare: number[] = []
  for (const n of numbers) {
    cold.push(await timed(() => ask(n)))
    bare.push(await timed(() => sql`select 1`.execute(db)))
  }
  const warm: number[] = []
  for (const n of numbers) warm.push(await timed(() => ask(n)))
  show(
    `may(): p99 cold ${p99(cold).toFixed(2)} ms, warm ${p99(warm).toFixed(3)} ms (aimed at: 20 and 1 ms); half of them cold ` +
      `${median(cold).toFixed(2)} ms, warm ${median(warm).toFixed(3)} ms, select 1 ${median(bare).toFixed(2)} ms`,
  )
  // Cached answers need no query; others need a query or two by an index.
  expect(median(warm)).toBeLessThan(median(bare))
  expect(median(cold)).toBeLessThan(COLD_TIMES * median(bare))
})

test('a page of ten thousand users is listed in little time', async () => {
  const app = await startApp()
  const { db } = app.store
  await sql`insert into users (user_id, account_id, name, email, password_hash, is_org_admin, created_at, password_changed_at)
    select gen_random_uuid(), ${app.accountId}, 'user_' || n, 'user_' || n || '@example.com', 'x', false, now(), now()
    from generate_series(1, 10000) n`.execute(db)
  await sql`insert into user_roles (user_id, role, active, granted_at)
    select user_id, 'public', true, now() from users where name like 'user_%'`.execute(db)
  await sql`analyze users, user_roles`.execute(db)
  const people = createPeopleStore(db)
  const times: number[] = []
  const all: number[] = []
  const readAll = () => sql`select * from users where account_id = ${app.accountId} order by name`.execute(db)
  for (let page = 1; page <= 40; page++) {
    times.push(await timed(() => people.list(app.accountId, { search: '', page: page * 10, pageSize: 20 })))
    times.push(
      await timed(() => people.list(app.accountId, { search: `user_${page}`, page: 1, pageSize: 20 })),
    )
    if (page % 10 === 0) all.push(await timed(readAll))
  }
  show(
    `users: p95 ${at(0.95, times).toFixed(1)} ms, half of them ${median(times).toFixed(1)} ms, all of them read ${median(all).toFixed(1)} ms`,
  )
  expect(median(times)).toBeLessThan(median(all))
})
