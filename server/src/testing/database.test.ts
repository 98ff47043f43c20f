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

/** Milliseconds of the quickest of three. */
async function least(make: () => Promise<FreshDatabase>): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const beginning = performance.now()
    const database = await make()
    took.push(performance.now() - beginning)
    await database.drop()
  }
  return Math.min(...took)
}

test('a migrated database for a test is there nearly as soon as an empty one', async () => {
  const [migrated, empty] = [await least(freshDatabase), await least(emptyDatabase)]
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
