import { randomUUID } from 'node:crypto'
import { LIMITS } from '@boathouse/contract'
import { expect, test } from 'vitest'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { actorWith } from '../../testing/actor.ts'
import { startApp, type TestApp } from '../../testing/start-app.ts'

const most = LIMITS.statementsInFlightPerUser
const mostOfAccount = LIMITS.statementsInFlightPerAccount

/** A request that is under way until the database has said that its connection is lost; resolves with its refusal. */
async function refusalOf(app: TestApp, actor: Actor, requestId: string = randomUUID()): Promise<AppError> {
  const submission = {
    requestId,
    sql: 'SELECT 1',
    connectionId: 999_999,
    previousConnectionId: 0,
    clientId: 'test',
    clientIp: null,
    door: 'service' as const,
  }
  const error = await app.queries
    .submit({ known: actor, now: () => Promise.resolve(actor) }, submission, () => undefined)
    .then(
      () => null,
      (reason: unknown) => reason,
    )
  if (error instanceof AppError) return error
  throw new Error('The request was expected to be refused.', { cause: error })
}

const codesOf = async (refusals: readonly Promise<AppError>[]) =>
  (await Promise.all(refusals)).map(({ code }) => code)

test('one user has 250 running requests, the next is refused in words, and those of a colleague are accepted', async () => {
  const app = await startApp()
  const actor = actorWith(app.accountId)
  const under = Array.from({ length: most }, () => refusalOf(app, actor))
  const [over, colleague] = [refusalOf(app, actor), refusalOf(app, actorWith(app.accountId))]
  expect(await over).toMatchObject({
    code: 'LimitReached',
    message:
      'You have 250 running requests, the maximum for one user of the 1000 of an account. Wait for some to end.',
  })
  expect((await colleague).code).toBe('ConnectionLost')
  expect(new Set(await codesOf(under))).toEqual(new Set(['ConnectionLost']))
})

test('of many requests at the same moment an account has 1000 under way, and the next is refused in words', async () => {
  const app = await startApp()
  const people = Array.from({ length: 5 }, () => actorWith(app.accountId))
  const under = Array.from({ length: mostOfAccount }, (_, index) =>
    refusalOf(app, people[index % 5] ?? actorWith(app.accountId)),
  )
  const over = [refusalOf(app, people[0] ?? actorWith('')), refusalOf(app, actorWith(app.accountId))]
  expect(await over[0]).toMatchObject({
    code: 'LimitReached',
    message: 'This account has 1000 running requests, the maximum. Wait for some to end.',
  })
  expect(await codesOf(over)).toEqual(['LimitReached', 'LimitReached'])
  expect(new Set(await codesOf(under))).toEqual(new Set(['ConnectionLost']))
})

test('the requests of other accounts do not count', async () => {
  const app = await startApp()
  const full = actorWith(app.accountId)
  const under = Array.from({ length: most }, () => refusalOf(app, full))
  expect((await refusalOf(app, actorWith('ZZZ00000'))).code).toBe('ConnectionLost')
  await Promise.all(under)
})

test('a request that has ended makes room for one, and one sent again while it runs takes none', async () => {
  const app = await startApp()
  const actor = actorWith(app.accountId)
  const under = Array.from({ length: most - 1 }, () => refusalOf(app, actor))
  const twice = [refusalOf(app, actor, 'the-same-request'), refusalOf(app, actor, 'the-same-request')]
  expect(await codesOf([...under, ...twice])).not.toContain('LimitReached')
  const next = Array.from({ length: most }, () => refusalOf(app, actor))
  expect((await refusalOf(app, actor)).code).toBe('LimitReached')
  expect(await codesOf(next)).not.toContain('LimitReached')
})
