import { expect, test } from 'vitest'
import { freshStore } from '../../testing/leased-store.ts'
import { createEngineUsers } from './engine-users.ts'

const { db } = await freshStore()
const range = (first: number, last: number) => createEngineUsers({ db, users: { first, last } })
const accounts = (from: number, count: number) =>
  Array.from({ length: count }, (_, number) => `ABC${String(from + number).padStart(5, '0')}`)

test('each account has a user of its own within the range, also when many ask at the same moment', async () => {
  const users = range(1000, 1029)
  const given = await Promise.all(accounts(0, 30).map((accountId) => users.of(accountId)))
  expect(given.toSorted((a, b) => Number(a) - Number(b))).toEqual(
    Array.from({ length: 30 }, (_, number) => 1000 + number),
  )
})

test('an account keeps its user, whichever server asks, and also when the range has become another', async () => {
  const first = await range(2000, 2999).of('KEP00001')
  expect(await range(2000, 2999).of('KEP00001')).toBe(first)
  expect(await range(5000, 5001).of('KEP00001')).toBe(first)
})

test('where no user is left the account is refused, and not given that of another', async () => {
  const users = range(3000, 3001)
  await Promise.all(accounts(500, 2).map((accountId) => users.of(accountId)))
  await expect(users.of('ABC00599')).rejects.toThrow('No operating system user is left')
})

test('where the service cannot choose users, none is chosen', async () => {
  expect(await createEngineUsers({ db, users: null }).of('ABC00001')).toBeNull()
})
