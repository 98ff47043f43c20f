import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../store/store.ts'
import { remember, remembered, show } from './store-kit.ts'
import { emptyDatabase, type FreshDatabase, freshDatabase, silentLog } from './database.ts'

async function open() {
  const database = await freshDatabase()
  const store = await openStore({ databaseUrl: database.url, dataDir: '', log: silentLog })
  onTestFinished(async () => {
    await store.close()
    await database.drop()
  })
  return store
}

type Make = () => Promise<FreshDatabase>

async function took(make: Make): Promise<number> {
  const beginning = performance.now()
  const database = await make()
  const ms = performance.now() - beginning
  await database.drop()
  return ms
}

/** Milliseconds of the quickest of several each, in turns: what else the machine does meanwhile is felt by both. */
async function least(one: Make, other: Make): Promise<readonly [number, number]> {
  const both: (readonly [number, number])[] = []
  for (let turn = 0; turn < 8; turn += 1) both.push([await took(one), await took(other)])
  return [Math.min(...both.map(([ms]) => ms)), Math.min(...both.map(([, ms]) => ms))]
}

test('a migrated database for a test is there nearly as soon as an empty one', async () => {
  const [migrated, empty] = await least(freshDatabase, emptyDatabase)
  show(`databases from the template in ${Math.round(migrated)} ms, empty ones in ${Math.round(empty)} ms`)
  // About 30 ms and 20 ms.
  expect(migrated).toBeLessThan(10 * empty)
})

test('each has its own, migrated already', async () => {
  const [one, other] = await Promise.all([open(), open()])
  expect(one.migrationsApplied).toBe(0)
  await remember(one, 'mine')
  expect(await remembered(other)).toEqual([])
})
