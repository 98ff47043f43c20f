import { LIMITS } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { AppError } from '../../kernel/app-error.ts'
import { actorWith } from '../../testing/actor.ts'
import { MINUTES } from '../../testing/fake-clock.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import { createScheduledStore } from './scheduled-store.ts'

const place = { catalog: 'default_catalog', database: 'main', warehouseId: null }
const statement = 'INSERT INTO boats SELECT 1'

async function someone(app: TestApp, accountId = app.accountId) {
  const { name } = accountId === app.accountId ? await app.user() : await app.stranger()
  const { user_id: userId } = await app.store.db
    .selectFrom('users')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  return { requestId: 'test', clientIp: '127.0.0.1', actor: { ...actorWith(accountId), userId, user: name } }
}

type Who = Awaited<ReturnType<typeof someone>>

const schedule = (app: TestApp, who: Who, name: string) =>
  app.scheduledTasks.submit(who, { name, statement, place }, { count: 5, unit: 'minute' }).then(
    () => 'made',
    (error: unknown) => (error instanceof AppError ? error.message : String(error)),
  )

test('of 40 tasks that one user schedules at once 20 are made, and a colleague schedules others', async () => {
  const app = await startApp()
  const [ada, bea] = [await someone(app), await someone(app)]
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => schedule(app, ada, `ada_${index}`)),
  )
  expect(answers.filter((answer) => answer === 'made')).toHaveLength(LIMITS.scheduledTasksPerUser)
  expect(answers.find((answer) => answer !== 'made')).toBe(
    'You have 20 scheduled tasks, the share of one user: at most 20 of the 100 that an account can have. Drop one that is no longer needed.',
  )
  expect(await schedule(app, bea, 'bea')).toBe('made')
  await app.scheduledTasks.drop(ada, 'ada_0').catch(() => app.scheduledTasks.drop(ada, 'ada_1'))
  expect(await schedule(app, ada, 'another')).toBe('made')
})

test('tasks that are due begin account by account in turn', async () => {
  const app = await startApp()
  const { accountId } = await app.otherAccount()
  const [ada, other] = [await someone(app), await someone(app, accountId)]
  for (let index = 0; index < 15; index++) await schedule(app, ada, `ada_${index}`)
  app.clock.advance(MINUTES)
  await schedule(app, other, 'theirs')
  app.clock.advance(10 * MINUTES)
  const due = await createScheduledStore(app.store.db).due(app.clock.now(), 3)
  expect(due.map(({ name }) => name)).toContain('theirs')
})
