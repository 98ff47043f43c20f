import { statSync } from 'node:fs'
import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, openedStore, silentLog } from '../testing/database.ts'
import { externalSettings } from './connection-settings.ts'
import { processInfo } from './embedded/process-info.ts'
import { migrate } from './migrate.ts'
import { readMigrations } from './migration-files.ts'
import { holdSingleServer } from './single-server.ts'
import { removeBundle, startStoreProcess } from '../testing/start-store-process.ts'
import {
  openForTest,
  postmasterOf,
  remember,
  remembered,
  show,
  since,
  testDirectory,
} from '../testing/store-kit.ts'
import { openStore } from './store.ts'

const external = await openedStore()
afterAll(removeBundle)

test('an empty directory becomes a database, the second start finds its data, and closing ends the server', async () => {
  const dataDir = join(await testDirectory(), 'with some spaces', 'data')
  const beginning = performance.now()
  const first = await openForTest(dataDir, { settings: {} })
  show(`fresh start ${since(beginning)}`)
  expect(first).toMatchObject({ mode: 'embedded', migrationsApplied: (await readMigrations()).length })
  await remember(first, 'kept')
  const postmaster = await postmasterOf(dataDir)
  await first.close()
  // It has ended; the operating system says so when its parent has collected it.
  await expect.poll(() => processInfo(postmaster)).toEqual({ state: 'gone' })

  const again = performance.now()
  const second = await openForTest(dataDir, { settings: {} })
  show(`warm start ${since(again)}`)
  expect(second.migrationsApplied).toBe(0)
  expect(await remembered(second)).toEqual(['kept'])
})

test('only its own user can read the files, the password and the socket, and no port is open', async () => {
  const dataDir = await testDirectory()
  const store = await openForTest(dataDir)
  const paths = ['pg18', 'pg18/data', 'pg18/run', 'pg18/password', 'pg18/postgres.log']
  const open = paths.filter((path) => (statSync(join(dataDir, path)).mode & 0o077) !== 0)
  expect(open).toEqual([])
  const { rows } = await store.pool.query('show listen_addresses')
  expect(rows).toEqual([{ listen_addresses: '' }])
})

test('a database whose password is lost is reported, and no other is created in its place', async () => {
  const dataDir = await testDirectory()
  await (await openForTest(dataDir)).close()
  const file = join(dataDir, 'pg18', 'password')
  const sentence =
    `The password of the database is missing in ${file}: restore that file from a backup, or choose another ` +
    'data directory to begin with an empty database.'
  const password = await readFile(file)
  await writeFile(file, '\n')
  await expect(openForTest(dataDir)).rejects.toThrow(sentence)
  await rm(file)
  await expect(openForTest(dataDir)).rejects.toThrow(sentence)
  await writeFile(file, password)
  await openForTest(dataDir)
})

test('a very long path works by a socket in a short place, which is gone after closing', async () => {
  const dataDir = join(await testDirectory(), 'long'.repeat(20), 'longer'.repeat(10))
  await mkdir(dataDir, { recursive: true })
  const store = await openForTest(dataDir)
  const { rows } = await store.pool.query("select current_setting('unix_socket_directories') as directory")
  const socketDirectory = String(rows[0].directory).replaceAll('"', '')
  expect(socketDirectory).not.toContain('long')
  await store.close()
  await expect(stat(socketDirectory)).rejects.toThrow('ENOENT')
})

test('a second server on the same directory is refused with its name, and the first is not disturbed', async () => {
  const dataDir = await testDirectory()
  const store = await openForTest(dataDir)
  const second = await startStoreProcess({ dataDir })
  expect(await second.first).toEqual({
    event: 'refused',
    reason: `${dataDir} is in use by another Boathouse server: stop that one or choose another data directory.`,
  })
  await second.ended
  await remember(store, 'undisturbed')
})

test('of two servers started at once on an empty directory one opens and the other is refused', async () => {
  const dataDir = await testDirectory()
  const servers = await Promise.all([startStoreProcess({ dataDir }), startStoreProcess({ dataDir })])
  const outcomes = await Promise.all(servers.map(({ first }) => first))
  expect(outcomes.map(({ event }) => event).sort()).toEqual(['open', 'refused'])
  const postmaster = await postmasterOf(dataDir)
  await Promise.all(servers.map((server) => server.stop()))
  expect(await processInfo(postmaster)).not.toMatchObject({ state: 'alive' })
})

test('a transaction keeps all of its work or none', async () => {
  const broken = external.transaction(async (transaction) => {
    await transaction.insertInto('instance_facts').values({ key: 'undone', value: '1' }).execute()
    throw new Error('second thoughts')
  })
  await expect(broken).rejects.toThrow('second thoughts')
  await external.transaction((transaction) =>
    transaction.insertInto('instance_facts').values({ key: 'done', value: '1' }).execute(),
  )
  expect(await remembered(external)).toEqual(['done'])
})

test('a second server on the same external database is refused, until the first lets go', async () => {
  const database = await emptyDatabase()
  onTestFinished(() => database.drop())
  const open = () => openStore({ databaseUrl: database.url, dataDir: '', log: silentLog })
  const first = await open()
  await expect(open()).rejects.toThrow(/another Boathouse server uses it/)
  expect(await first.pool.query('select 1')).toMatchObject({ rowCount: 1 })
  await first.close()
  await (await open()).close()
})

/** A database as the version before this one left it, and a server of that version that still uses it. */
async function usedByAnOlderServer() {
  const database = await emptyDatabase()
  onTestFinished(() => database.drop())
  const settings = externalSettings(database.url)
  const older = await testDirectory()
  const names = (await readMigrations()).map(({ name }) => name).slice(0, -1)
  for (const name of names) await copyFile(new URL(`migrations/${name}`, import.meta.url), join(older, name))
  await migrate(settings, older)
  const ignore = { revive: async () => undefined, onLost: () => undefined }
  const server = await holdSingleServer({ settings, directory: 'here', log: silentLog, ...ignore })
  const applied = async () => {
    const client = new Client(settings)
    await client.connect()
    const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
    await client.end()
    return rows.map(({ name }) => name)
  }
  return { url: database.url, names, applied, stop: () => server?.release(async () => undefined) }
}

test('a newer server does not change a database that an older one uses, and migrates it when that one has stopped', async () => {
  const older = await usedByAnOlderServer()
  const open = () => openStore({ databaseUrl: older.url, dataDir: '', log: silentLog })
  await expect(open()).rejects.toThrow(/another Boathouse server uses it/)
  expect(await older.applied()).toEqual(older.names)
  await older.stop()
  const store = await open()
  expect(store.migrationsApplied).toBe(1)
  await store.close()
})

test('a database that cannot be reached is named without its password', async () => {
  const databaseUrl = 'postgresql://boathouse:secret@127.0.0.1:1/metadata?sslmode=disable'
  const opened = openStore({ databaseUrl, dataDir: '', log: { info() {}, warn() {} }, patienceMs: 0 })
  await expect(opened).rejects.toThrow(
    'DATABASE_URL: the database 127.0.0.1:1/metadata cannot be used: connect ECONNREFUSED 127.0.0.1:1',
  )
})

test('an invalid address is refused without repeating it', async () => {
  const opened = openStore({ databaseUrl: 'secret@nowhere', dataDir: '', log: { info() {}, warn() {} } })
  await expect(opened).rejects.toThrow(
    'DATABASE_URL is not an address of the form postgresql://user:password@host:5432/database.',
  )
})
