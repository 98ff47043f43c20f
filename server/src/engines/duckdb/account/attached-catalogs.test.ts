import { randomUUID } from 'node:crypto'
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  cell,
  cells,
  failure,
  openSession,
  rowsOf,
  rowsUpTo,
  runUnderId,
  testSpace,
} from '../../conformance/fixture.ts'
import type { AccountCatalog, OwnCatalog } from '../../engine/attachments.ts'
import type { AccountSpace } from '../../engine/local-space.ts'
import { hostBundleForTests } from '../host/host-bundle-for-tests.ts'
import { createDuckdbProvider, type DuckdbEngine } from '../provider.ts'

const newCatalog = (name: string): OwnCatalog => ({ kind: 'own', id: randomUUID(), name, isNew: true })

/** Engines of one account, one after the other. */
async function setUp() {
  const provider = createDuckdbProvider({ hostPath: await hostBundleForTests(), spare: false })
  onTestFinished(() => provider.close())
  const space: AccountSpace = await testSpace()
  const open = async (...catalogs: AccountCatalog[]): Promise<DuckdbEngine> => {
    const engine = await provider.open({ ...space, catalogs })
    onTestFinished(() => engine.close())
    return engine
  }
  return { open, folder: join(space.directory, 'catalogs') }
}

const kill = async (engine: DuckdbEngine): Promise<void> => {
  process.kill(engine.pid, 'SIGKILL')
  await engine.lost
}

test('a catalog that was attached is there again with what was committed, after the engine was killed', async () => {
  const { open } = await setUp()
  const archive = newCatalog('archive')
  const first = await open()
  await first.attachments.attach(archive)
  expect(first.attachments.named('ARCHIVE')).toBe('archive')
  const session = await openSession(first)
  await rowsOf(session, 'CREATE TABLE archive.main.t AS SELECT 42 AS i')
  const { queryId } = await runUnderId(session, 'INSERT INTO archive.main.t VALUES (43)')
  await rowsOf(session, 'BEGIN')
  const lost = await runUnderId(session, 'INSERT INTO archive.main.t VALUES (44)')
  await kill(first)
  const second = await open({ ...archive, isNew: false })
  expect(await cells(await openSession(second), 'SELECT i FROM archive.main.t ORDER BY i')).toEqual([
    ['42'],
    ['43'],
  ])
  const effects = await second.effects.tookEffect([queryId, lost.queryId])
  expect([...effects]).toEqual([[queryId, { rowsChanged: 1 }]])
  await second.effects.forget(new Date(Date.now() + 3_600_000))
  expect((await second.effects.tookEffect([queryId])).size).toBe(0)
})

test('a renamed catalog is the same file: what was written before and since is there under its new name', async () => {
  const { open } = await setUp()
  const archive = newCatalog('archive')
  const first = await open()
  await first.attachments.attach(archive)
  const session = await openSession(first, { catalog: 'archive', database: 'main' })
  await rowsOf(session, 'CREATE TABLE t AS SELECT 42 AS i')
  expect(await first.attachments.rename('archive', 'sea')).toBe(true)
  const { queryId } = await runUnderId(session, 'INSERT INTO t VALUES (43)')
  expect(await failure(session, 'SELECT * FROM archive.main.t')).toMatchObject({ kind: 'missing' })
  await kill(first)
  const second = await open({ ...archive, name: 'sea', isNew: false })
  expect(await cells(await openSession(second), 'SELECT i FROM sea.main.t ORDER BY i')).toEqual([
    ['42'],
    ['43'],
  ])
  expect((await second.effects.tookEffect([queryId])).size).toBe(1)
})

test('a catalog that no engine was notified of is created by the next one, and a lost file is never recreated', async () => {
  const { open, folder } = await setUp()
  const archive = newCatalog('archive')
  const first = await open(archive)
  await rowsOf(await openSession(first), 'CREATE TABLE archive.main.t (i int)')
  await first.close()
  await rm(join(folder, `${archive.id}.duckdb`))
  const second = await open({ ...archive, isNew: false })
  expect(second.attachments.named('archive')).toBeNull()
  const session = await openSession(second)
  const { message } = await failure(session, 'SELECT * FROM archive.main.t')
  expect(message).toBe(
    `The catalog archive cannot be opened: its file catalogs/${archive.id}.duckdb is not there`,
  )
  expect(await cell(session, 'SELECT 1')).toBe('1')
  expect(await readdir(folder)).toEqual([])
})

test('a file that holds nonsense closes its catalog alone', async () => {
  const { open, folder } = await setUp()
  const [archive, other] = [newCatalog('archive'), newCatalog('other')]
  await (await open(archive, other)).close()
  await writeFile(join(folder, `${archive.id}.duckdb`), 'nonsense'.repeat(4096))
  const engine = await open({ ...archive, isNew: false }, { ...other, isNew: false })
  const session = await openSession(engine)
  expect((await failure(session, 'FROM archive.main.t')).message).toContain(
    'The catalog archive cannot be opened: ',
  )
  await rowsOf(session, 'CREATE TABLE other.main.t (i int)')
})

test('what is removed is gone with its file, for every session and for the next engine', async () => {
  const { open, folder } = await setUp()
  const archive = newCatalog('archive')
  const engine = await open(archive)
  const session = await openSession(engine, { catalog: 'archive', database: 'main' })
  await rowsOf(session, 'CREATE TABLE t (i int)')
  await engine.attachments.remove(archive)
  expect(engine.attachments.named('archive')).toBeNull()
  expect((await failure(await openSession(engine), 'FROM archive.main.t')).kind).toBe('missing')
  expect(await readdir(folder)).toEqual([])
  await engine.attachments.attach(newCatalog('archive'))
  expect((await failure(await openSession(engine), 'FROM archive.main.t')).kind).toBe('missing')
})

test('a file of no catalog is set aside, and removed after a week', async () => {
  const { open, folder } = await setUp()
  const archive = newCatalog('archive')
  await (await open(archive)).close()
  const file = `${archive.id}.duckdb`
  await (await open()).close()
  expect(await readdir(folder)).toEqual(['orphans'])
  const aside = join(folder, 'orphans', file)
  expect((await stat(aside)).size).toBeGreaterThan(0)
  const longAgo = new Date(Date.now() - 8 * 24 * 60 * 60 * 1000)
  await utimes(aside, longAgo, longAgo)
  await (await open()).close()
  expect(await readdir(join(folder, 'orphans'))).toEqual([])
})

test('no statement of any user reaches the files of catalogs', async () => {
  const { open, folder } = await setUp()
  const archive = newCatalog('archive')
  const session = await openSession(await open(archive))
  const path = join(folder, `${archive.id}.duckdb`)
  for (const sql of [
    `ATTACH '${path}' AS mine`,
    `ATTACH '${join(folder, 'mine.duckdb')}' AS mine`,
    'DETACH archive',
    `COPY (SELECT 1) TO '${join(folder, 'mine.csv')}'`,
    `COPY (SELECT 1) TO '${path}' (FORMAT csv, USE_TMP_FILE false)`,
    `FROM '${join(folder, 'mine.csv')}'`,
    `FROM read_text('${path}')`,
    `FROM glob('${folder}/*')`,
    `EXPORT DATABASE '${folder}'`,
    'COPY FROM DATABASE archive TO default_catalog',
    'FROM archive.boathouse_internal.effects',
    'DROP SCHEMA archive.boathouse_internal CASCADE',
    `SET allowed_directories = ['/']`,
  ])
    expect([sql, await session.execute(sql, rowsUpTo(10)).outcome]).toMatchObject([sql, { state: 'failed' }])
  await writeFile(join(folder, 'mine.csv'), 'a\n1\n')
  expect((await session.execute(`FROM '${join(folder, 'mine.csv')}'`, rowsUpTo(10)).outcome).state).toBe(
    'failed',
  )
})
