import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findPostmaster } from './embedded/postmaster.ts'
import { processInfo } from './embedded/process-info.ts'
import { removeBundle, startStoreProcess } from '../testing/start-store-process.ts'
import {
  kill,
  killWithChildren,
  openForTest,
  postmasterOf,
  remember,
  remembered,
  show,
  since,
  testDirectory,
  until,
} from '../testing/store-kit.ts'

afterAll(removeBundle)

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )

const namesIn = (directory: string) => readdir(directory).catch((): string[] => [])

test('what was acknowledged survives kill -9 of server and database together', async () => {
  const dataDir = await testDirectory()
  const server = await startStoreProcess({ dataDir, work: 'count', embedded: { settings: {} } })
  await until(() => server.messages.length > 200, 'some rows are written')
  await killWithChildren(server.pid)
  await killWithChildren(await postmasterOf(dataDir))
  await server.ended
  const acknowledged = server.messages.flatMap((message) =>
    message.event === 'written' ? [message.number] : [],
  )

  const beginning = performance.now()
  const store = await openForTest(dataDir, { settings: {} })
  show(`reopened after kill -9 of everything in ${since(beginning)}`)
  const kept = new Set((await remembered(store)).map(Number))
  expect(acknowledged.length).toBeGreaterThan(100)
  expect(acknowledged.filter((number) => !kept.has(number))).toEqual([])
})

test('a database that outlived its server is taken over, and closing ends it', async () => {
  const dataDir = await testDirectory()
  const server = await startStoreProcess({ dataDir, work: 'count' })
  await until(() => server.messages.length > 50, 'some rows are written')
  kill(server.pid)
  await server.ended
  const orphan = await postmasterOf(dataDir)
  expect(await processInfo(orphan)).toMatchObject({ state: 'alive' })

  const beginning = performance.now()
  const store = await openForTest(dataDir)
  show(`took over a database left behind in ${since(beginning)}`)
  expect(await postmasterOf(dataDir)).toBe(orphan)
  expect((await remembered(store)).length).toBeGreaterThan(40)
  await store.close()
  // It has let go of its files; the process itself may need a moment more.
  await until(async () => (await processInfo(orphan)).state !== 'alive', 'the database has ended')
})

test('the database restarts automatically after kill -9, keeps its data, and the directory stays locked', async () => {
  const dataDir = await testDirectory()
  const store = await openForTest(dataDir)
  for (let round = 0; round < 4; round += 1) {
    await remember(store, `before ${round}`)
    const postmaster = await postmasterOf(dataDir)
    const beginning = performance.now()
    // Alone, it leaves children behind that hold on to the shared memory for a moment.
    if (round % 2 === 0) kill(postmaster)
    else await killWithChildren(postmaster)
    await until(async () => (await processInfo(postmaster)).state !== 'alive', 'the database is dead')
    await until(() => succeeds(remember(store, `after ${round}`)), 'a row can be written again')
    show(`written again ${since(beginning)} after kill -9 of the database`)
  }
  expect(await remembered(store)).toHaveLength(8)
  const second = await startStoreProcess({ dataDir })
  expect(await second.first).toMatchObject({ event: 'refused' })
})

test('a transaction cut by the death of the database fails, without harm to the process', async () => {
  const dataDir = await testDirectory()
  const store = await openForTest(dataDir)
  const postmaster = await postmasterOf(dataDir)
  const cut = store.transaction(async (transaction) => {
    await transaction.insertInto('instance_facts').values({ key: 'cut', value: '{}' }).execute()
    await killWithChildren(postmaster)
    await until(
      async () => (await postmasterOf(dataDir).catch(() => postmaster)) !== postmaster,
      'it is replaced',
    )
    await transaction.insertInto('instance_facts').values({ key: 'never', value: '{}' }).execute()
  })
  await expect(cut).rejects.toThrow('The database of the service is temporarily unavailable')
  expect(await remembered(store)).toEqual([])
})

test('closing at the very moment of a crash leaves no process behind', async () => {
  const dataDir = await testDirectory()
  const store = await openForTest(dataDir)
  kill(await postmasterOf(dataDir))
  await store.close()
  expect(await findPostmaster(join(dataDir, 'pg18', 'data'))).toBeUndefined()
  expect(await remembered(await openForTest(dataDir))).toEqual([])
})

test('a first start that was killed half-way starts again, and nothing of it is left', async () => {
  const dataDir = await testDirectory()
  const drafts = async () => (await namesIn(dataDir)).filter((name) => name.startsWith('pg18.initialising-'))
  const server = await startStoreProcess({ dataDir })
  await until(async () => {
    const [draft = ''] = await drafts()
    return (await namesIn(join(dataDir, draft, 'data'))).includes('base')
  }, 'the database is half made')
  await killWithChildren(server.pid)
  await server.ended
  expect(await drafts()).toHaveLength(1)

  const store = await openForTest(dataDir)
  await remember(store, 'works')
  expect(await drafts()).toEqual([])
})
