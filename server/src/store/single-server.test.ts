import { Client, type ClientConfig } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { emptyDatabase, silentLog } from '../testing/database.ts'
import { externalSettings } from './connection-settings.ts'
import { holdSingleServer, type SingleServerOptions } from './single-server.ts'
import { until } from '../testing/store-kit.ts'
import type { StoreLog } from './store-log.ts'

async function settingsOfFreshDatabase(): Promise<ClientConfig> {
  const database = await emptyDatabase()
  onTestFinished(() => database.drop())
  return externalSettings(database.url)
}

async function hold(options: Partial<SingleServerOptions> & { settings: ClientConfig }) {
  const ignore = { revive: async () => undefined, onLost: () => undefined }
  const server = await holdSingleServer({ directory: 'here', log: silentLog, ...ignore, ...options })
  onTestFinished(() => server?.release(async () => undefined))
  return server
}

/** What the death of PostgreSQL looks like to the holder: its connection ends. */
async function cutHolder(settings: ClientConfig): Promise<void> {
  const client = new Client(settings)
  await client.connect()
  // Other tests hold locks in other databases of this PostgreSQL, and would lose their connections.
  await client.query(
    `select pg_terminate_backend(pid) from pg_locks join pg_database on database = pg_database.oid
     where locktype = 'advisory' and granted and datname = current_database()`,
  )
  await client.end()
}

test('of two holders one is refused, until the other lets go', async () => {
  const settings = await settingsOfFreshDatabase()
  const first = await hold({ settings })
  expect(await hold({ settings })).toBeUndefined()
  await first?.release(async () => undefined)
  expect(await hold({ settings })).toBeDefined()
})

test('a connection that ends is made again, after the database was revived, however often that takes', async () => {
  const settings = await settingsOfFreshDatabase()
  const revive = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('not yet')).mockResolvedValue()
  const info = vi.fn<StoreLog['info']>()
  await hold({ settings, revive, log: { ...silentLog, info } })
  await cutHolder(settings)
  await until(() => info.mock.lastCall?.[1] === 'PostgreSQL is back', 'the lock is held again')
  expect(revive).toHaveBeenCalledTimes(2)
  expect(await hold({ settings })).toBeUndefined()
})

test('a server that finds the directory taken over in the meantime says so', async () => {
  const settings = await settingsOfFreshDatabase()
  const onLost = vi.fn<() => void>()
  const letAnotherTakeIt = async () => expect(await hold({ settings })).toBeDefined()
  await hold({ settings, revive: letAnotherTakeIt, onLost })
  await cutHolder(settings)
  await until(() => onLost.mock.calls.length > 0, 'the loss is noticed')
})
