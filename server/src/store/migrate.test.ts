import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase } from '../testing/database.ts'
import { externalSettings } from './connection-settings.ts'
import { migrate } from './migrate.ts'

async function migrationFiles(files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'migrations-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  await writeFiles(directory, files)
  return directory
}

async function writeFiles(directory: string, files: Record<string, string>): Promise<void> {
  for (const [name, sql] of Object.entries(files)) await writeFile(join(directory, name), sql)
}

async function emptySettings() {
  const database = await emptyDatabase()
  onTestFinished(() => database.drop())
  return externalSettings(database.url)
}

async function query(settings: Awaited<ReturnType<typeof emptySettings>>, sql: string): Promise<unknown[]> {
  const client = new Client(settings)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const first = { '0001_boats.sql': 'create table boats (name text primary key);\n' }
const second = { '0002_berths.sql': 'alter table boats add column berth int;\n' }
const index = {
  '0003_index.sql': '-- no-transaction\ncreate index concurrently boats_berth on boats (berth);\n',
}

test('four servers that migrate at once apply each file once, indexes built concurrently included', async () => {
  const settings = await emptySettings()
  const directory = await migrationFiles({ ...first, ...second, ...index })
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(settings, directory)))
  expect(applied.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 3])
  expect(await query(settings, 'select name from migrations order by name')).toEqual([
    { name: '0001_boats.sql' },
    { name: '0002_berths.sql' },
    { name: '0003_index.sql' },
  ])
  expect(
    await query(settings, "select indisvalid from pg_index where indexrelid = 'boats_berth'::regclass"),
  ).toEqual([{ indisvalid: true }])
})

test('a later version applies only what is new', async () => {
  const settings = await emptySettings()
  const directory = await migrationFiles(first)
  expect(await migrate(settings, directory)).toBe(1)
  await writeFiles(directory, second)
  expect(await migrate(settings, directory)).toBe(1)
  expect(await migrate(settings, directory)).toBe(0)
})

test('a migration that was changed after it was applied is refused by name', async () => {
  const settings = await emptySettings()
  const directory = await migrationFiles(first)
  await migrate(settings, directory)
  await writeFiles(directory, { '0001_boats.sql': 'create table ships (name text);\n' })
  await expect(migrate(settings, directory)).rejects.toThrow(
    'Migration 0001_boats.sql was changed after it was applied to this database: ' +
      'restore the file and put the change into a new migration.',
  )
})

test('other line ends are not a change', async () => {
  const settings = await emptySettings()
  const directory = await migrationFiles(first)
  await migrate(settings, directory)
  await writeFiles(directory, { '0001_boats.sql': first['0001_boats.sql'].replace('\n', '\r\n') })
  expect(await migrate(settings, directory)).toBe(0)
})

test('a database from a newer version is refused by the name of the migration', async () => {
  const settings = await emptySettings()
  await migrate(settings, await migrationFiles({ ...first, ...second }))
  await expect(migrate(settings, await migrationFiles(first))).rejects.toThrow(
    'The database has migration 0002_berths.sql, which this version of Boathouse does not know: ' +
      'start the newer version that made it.',
  )
})

test('a migration that fails is named with its line and leaves nothing behind', async () => {
  const settings = await emptySettings()
  const broken = {
    '0002_broken.sql': 'create table half_done (id int);\ncreate table wrong (id nonsense);\n',
  }
  const directory = await migrationFiles({ ...first, ...broken })
  await expect(migrate(settings, directory)).rejects.toThrow(
    'Migration 0002_broken.sql failed in line 2: error: type "nonsense" does not exist',
  )
  expect(
    await query(
      settings,
      "select to_regclass('boats') is not null as boats, to_regclass('half_done') as half",
    ),
  ).toEqual([{ boats: true, half: null }])
})

test('a number that two migrations have is refused before anything is applied', async () => {
  const settings = await emptySettings()
  const directory = await migrationFiles({ ...first, '0001_another.sql': 'select 1' })
  await expect(migrate(settings, directory)).rejects.toThrow(/have the same number/)
})

test('a number may be left out, and its migration is applied when it comes', async () => {
  const settings = await emptySettings()
  const third = { '0003_oars.sql': 'create table oars (length int);\n' }
  expect(await migrate(settings, await migrationFiles({ ...first, ...third }))).toBe(2)
  expect(await migrate(settings, await migrationFiles({ ...first, ...second, ...third }))).toBe(1)
})
