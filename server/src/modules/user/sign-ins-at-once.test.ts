import { randomUUID } from 'node:crypto'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { CODES, encodePassword, user } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { startApp } from '../../testing/start-app.ts'
import { BY_OPERATOR, hashPassword } from './passwords.ts'

const PEOPLE = 50

test('50 users who sign in at once all succeed, and all others are served at the same time', async () => {
  const app = await startApp()
  const at = app.clock.now()
  const password_hash = await hashPassword(app.password, BY_OPERATOR)
  const people = Array.from({ length: PEOPLE }, (_, index) => ({
    user_id: randomUUID(),
    account_id: app.accountId,
    name: `rower_${index}`,
    password_hash,
    is_org_admin: false,
    created_at: at,
    password_changed_at: at,
  }))
  await app.store.db.insertInto('users').values(people).execute()
  const hashedAt = performance.now()
  await hashPassword(app.password, BY_OPERATOR)
  const oneHash = performance.now() - hashedAt

  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const password = encodePassword(app.password)
  const answers = await Promise.all(
    people.map(({ name }) => app.call(user.login, { accountId: app.accountId, username: name, password })),
  )
  delay.disable()
  expect(answers.map(({ code }) => code)).toEqual(answers.map(() => CODES.Ok.code))
  expect(new Set(answers.map(({ data }) => data.token)).size).toBe(PEOPLE)
  // A password that is hashed on the server's thread keeps everybody waiting for as long as that takes.
  expect(delay.percentile(95) / 1e6, 'milliseconds in which nothing is served').toBeLessThan(oneHash)
})
