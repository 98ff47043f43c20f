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

test('what was kept by the name of a catalog is kept by its id, and by its name again once it is dropped', async () => {
  const SEA = '00000000-0000-4000-8000-00000000005e'
  const granted = (catalog: string) =>
    `insert into grants (account_id, user_id, object_type, catalog, database, name, privileges, grantable, granted_by, granted_at)
     values ('ABC00001', '${ADA}', 'catalog', '${catalog}', '', '', '{USAGE}', '{}', 'ada', now())`
  const connected = (catalog: string) =>
    `insert into connections (account_id, user_id, client_id, catalog, created_at, last_used_at)
     values ('ABC00001', '${ADA}', 'x', '${catalog}', now(), now())`
  const client = await migratedWith(/_catalogs_by_id\.sql$/, [
    ...ROWS,
    `insert into internal_catalogs values ('${SEA}', 'ABC00001', 'Sea', '', 'ada', now(), now())`,
    ...['', 'default_catalog', 'sea', 'gone'].map(granted),
    ...['default_catalog', 'SEA'].map(connected),
  ])
  const ids = async (table: string) =>
    (await client.query(`select catalog_id from ${table} order by 1`)).rows.map((row) => row.catalog_id)
  expect(await ids('grants')).toEqual(['', SEA, 'default_catalog', 'gone'])
  expect(await ids('connections')).toEqual([SEA, 'default_catalog'])
  const { rows } = await client.query(
    `select catalog_name_of('${SEA}') as name, catalog_id_of('ABC00001', 'SEA') as id,
     catalog_id_of('ABC00002', 'sea') as other, catalog_name_of('gone') as gone,
     catalog_names_in(catalog_ids_in('ABC00001', '[["sea","d","t"],["x","d","t"]]', '{0}'), '{0}') as list`,
  )
  expect(rows).toEqual([
    {
      name: 'Sea',
      id: SEA,
      other: 'sea',
      gone: 'gone',
      list: [
        ['Sea', 'd', 't'],
        ['x', 'd', 't'],
      ],
    },
  ])
  await client.query('delete from internal_catalogs')
  expect(await ids('connections')).toEqual(['Sea', 'default_catalog'])
})
