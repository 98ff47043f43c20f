import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../store/store.ts'
import { remember, remembered, show } from './store-kit.ts'
import { freshDatabase, silentLog } from './database.ts'

async function open() {
  const database = await freshDatabase()
  const store = await openStore({ databaseUrl: database.url, dataDir: '', log: silentLog })
  onTestFinished(async () => {
    await store.close()
    await database.drop()
  })
  return store
}

test('a migrated database for a test is there in a moment', async () => {
  const took: number[] = []
  for (let round = 0; round < 5 && Math.min(...took) > 100; round += 1) {
    const beginning = performance.now()
    const database = await freshDatabase()
    took.push(performance.now() - beginning)
    await database.drop()
  }
  show(`databases from the template in ${took.map((ms) => `${Math.round(ms)} ms`).join(', ')}`)
  // About 30 ms; the room is for a machine under load.
  expect(Math.min(...took)).toBeLessThan(500)
})

test('each has its own, migrated already', async () => {
  const [one, other] = await Promise.all([open(), open()])
  expect(one.migrationsApplied).toBe(0)
  await remember(one, 'mine')
  expect(await remembered(other)).toEqual([])
})
