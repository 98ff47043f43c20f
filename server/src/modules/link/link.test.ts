import { expect, test } from 'vitest'
import { HOURS } from '../../testing/fake-clock.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'

const RESET = { purpose: 'passwordReset', subject: 'user-1', accountId: null } as const

const create = (app: TestApp, subject = 'user-1'): Promise<string> =>
  app.store.transaction((trx) => app.links.create(trx, { ...RESET, subject }))

const take = (app: TestApp, token: string): Promise<string> =>
  app.store.transaction((trx) => app.links.take(trx, 'passwordReset', token))

test('a link answers what it is about, once', async () => {
  const app = await startApp()
  const token = await create(app)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(await app.links.look('passwordReset', token)).toBe('user-1')
  expect(await take(app, token)).toBe('user-1')
  await expect(take(app, token)).rejects.toThrow(/was already used/)
  await expect(app.links.look('passwordReset', token)).rejects.toThrow(/was already used/)
})

test('of two who use a link at the same moment one is refused', async () => {
  const app = await startApp()
  const token = await create(app)
  const both = await Promise.allSettled([take(app, token), take(app, token)])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('a link is not used up when what it allows does not come about', async () => {
  const app = await startApp()
  const token = await create(app)
  const undone = app.store.transaction(async (trx) => {
    await app.links.take(trx, 'passwordReset', token)
    throw new Error('the disk is full')
  })
  await expect(undone).rejects.toThrow('the disk is full')
  expect(await take(app, token)).toBe('user-1')
})

test('a link expires, and a clock that jumps back does not make a used one good again', async () => {
  const app = await startApp()
  const [late, used] = [await create(app), await create(app, 'user-2')]
  await take(app, used)
  app.clock.advance(-2 * HOURS)
  await expect(take(app, used)).rejects.toThrow(/was already used/)
  app.clock.advance(3 * HOURS)
  await expect(take(app, late)).rejects.toThrow(/has expired/)
})

test('a new link ends the one before it, and no other', async () => {
  const app = await startApp()
  const [first, other] = [await create(app), await create(app, 'user-2')]
  const second = await create(app)
  await expect(take(app, first)).rejects.toThrow(/has expired/)
  expect(await take(app, second)).toBe('user-1')
  expect(await take(app, other)).toBe('user-2')
})

test('a link allows nothing but what it was made for, and a changed one nothing at all', async () => {
  const app = await startApp()
  const token = await create(app)
  await expect(app.links.look('invitation', token)).rejects.toThrow(/is unknown/)
  await expect(take(app, `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).rejects.toThrow(
    /is unknown/,
  )
})

test('the token of a link cannot be read from the database', async () => {
  const app = await startApp()
  const token = await create(app)
  const { rows } = await app.store.pool.query<{ text: string }>('select links::text as text from links')
  expect(rows[0]?.text).not.toContain(token)
})
