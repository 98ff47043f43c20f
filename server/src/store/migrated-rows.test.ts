import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../testing/database.ts'
import { externalSettings } from './connection-settings.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './migration-files.ts'

/** A database with these rows, written by the version before this migration and brought to the newest. */
async function migratedWith(migration: RegExp, statements: readonly string[]) {
  const database = await emptyDatabase()
  const earlier = await mkdtemp(join(tmpdir(), 'migrations-'))
  const settings = externalSettings(database.url)
  const names = (await readMigrations()).map(({ name }) => name)
  for (const name of names.slice(
    0,
    names.findIndex((one) => migration.test(one)),
  ))
    await copyFile(new URL(`migrations/${name}`, import.meta.url), join(earlier, name))
  await migrate(settings, earlier)
  const client = new Client(settings)
  await client.connect()
  onTestFinished(async () => {
    await client.end()
    await database.drop()
    await rm(earlier, { recursive: true })
  })
  for (const statement of statements) await client.query(statement)
  await migrate(settings)
  return client
}

const ADA = '00000000-0000-4000-8000-00000000000a'
const account = (accountId: string, edition: string, creator: string) =>
  `insert into accounts (account_id, organisation_id, name, csp, region, edition, state, shell_state, creator, created_at)
   select '${accountId}', organisation_id, '${accountId}', 'local', 'local-1', '${edition}', 2, 2, '${creator}', now()
   from organisations`
const ROWS = [
  `insert into organisations (organisation_id, name, identity, source, created_at)
   values (gen_random_uuid(), 'Club', 1, 1, now())`,
  account('ABC00001', 'lake', 'ada'),
  account('ABC00002', 'standard', 'ada'),
  `insert into users (user_id, account_id, name, password_hash, is_org_admin, created_at, password_changed_at)
   values ('${ADA}', 'ABC00001', 'ada', '', true, now(), now())`,
]

test('accounts of before know their creator by id, where that user is still there', async () => {
  const client = await migratedWith(/_creator_id\.sql$/, ROWS)
  const { rows } = await client.query('select account_id, creator_id from accounts order by 1')
  expect(rows).toEqual([
    { account_id: 'ABC00001', creator_id: ADA },
    { account_id: 'ABC00002', creator_id: null },
  ])
})

test('usage of before has the price, edition and region of its account', async () => {
  const used = (accountId: string) =>
    `insert into warehouse_usage values ('${accountId}', gen_random_uuid(), '2026-03-01T09:00:00Z', 'Small', 30)`
  const client = await migratedWith(/_usage_prices\.sql$/, [...ROWS, used('ABC00001'), used('ABC00002')])
  const { rows } = await client.query(
    'select edition, region, usd_per_ccu, seconds from warehouse_usage order by account_id',
  )
  expect(rows).toEqual([
    { edition: 'lake', region: 'local-1', usd_per_ccu: '0.680000', seconds: 30 },
    { edition: 'standard', region: 'local-1', usd_per_ccu: '1.580000', seconds: 30 },
  ])
})
