import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { EngineUnavailable } from '../engines/engine/engine.ts'
import { createScriptedProvider } from '../engines/scripted/provider.ts'
import { MINUTES, fakeClock } from '../testing/fake-clock.ts'
import type { OpenReader, ReaderPlace } from './reader.ts'
import { createReaders } from './readers.ts'

const WINDOW = { offset: 0, limit: 1 }

async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-readers-'))
  const clock = fakeClock()
  const { openReader } = createScriptedProvider()
  const opened: OpenReader[] = []
  const provider = {
    async openReader(place: ReaderPlace) {
      const reader = await openReader(place)
      opened.push(reader)
      return reader
    },
  }
  const readers = createReaders({ provider, clock })
  onTestFinished(async () => {
    await readers.close()
    await rm(directory, { recursive: true })
  })
  const place = (accountId: string) => ({ accountId, directory, osUser: null })
  return { readers, clock, opened, place }
}

test('an account has one reader, which ends a minute after its last use and not in the middle of one', async () => {
  const { readers, clock, opened, place } = await setUp()
  await Promise.all([1, 2].map(() => readers.use(place('A'), (reader) => reader.read('none', WINDOW))))
  await readers.use(place('B'), (reader) => reader.read('none', WINDOW))
  expect(opened).toHaveLength(2)
  let finish: () => void = () => undefined
  const long = readers.use(place('A'), () => new Promise<void>((resolve) => (finish = resolve)))
  clock.advance(2 * MINUTES)
  await readers.endUnused()
  await opened[1]?.ended
  finish()
  await long
  await readers.use(place('A'), (reader) => reader.read('none', WINDOW))
  expect(opened).toHaveLength(2)
  await readers.use(place('B'), (reader) => reader.read('none', WINDOW))
  expect(opened).toHaveLength(3)
})

test('what was asked of a reader that ends in the middle is asked of another one, once', async () => {
  const { readers, opened, place } = await setUp()
  let tries = 0
  const dying = async () => {
    tries++
    throw new EngineUnavailable('its process ended')
  }
  await expect(readers.use(place('A'), dying)).rejects.toThrow('its process ended')
  expect([tries, opened.length]).toEqual([2, 2])
  expect(await readers.use(place('A'), (reader) => reader.read('none', WINDOW))).toBeNull()
})

test('a failure of the work itself is reported at once, without a retry', async () => {
  const { readers, opened, place } = await setUp()
  const work = () => Promise.reject(new Error('the result is damaged'))
  await expect(readers.use(place('A'), work)).rejects.toThrow('damaged')
  expect(opened).toHaveLength(1)
})

test('nothing is read once the service is shutting down', async () => {
  const { readers, place } = await setUp()
  await readers.close()
  await expect(readers.use(place('A'), (reader) => reader.read('none', WINDOW))).rejects.toThrow(
    EngineUnavailable,
  )
})
