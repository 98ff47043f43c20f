import { randomUUID } from 'node:crypto'
import { CODES, QUERY_STATES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import type { Actor } from '../../../kernel/actor.ts'
import { actorWith } from '../../../testing/actor.ts'
import { startApp, type TestApp, type TestUser } from '../../../testing/start-app.ts'
import { EMPTY_RESULT, endedAnswer, NOT_MOVED } from './answer.ts'
import { failed, finished } from '../running/ending.ts'
import { againFor } from './answers-again.ts'

const revokeRoles = ({ store }: TestApp, { name }: TestUser) =>
  store.pool.query(
    'delete from user_roles using users where users.user_id = user_roles.user_id and name = $1',
    [name],
  )

/** Somebody who has run this, and whose roles are then taken away. */
async function ranBeforeRevoked(sql: string) {
  const app = await startApp()
  const rower = await app.user(['db_admin'])
  const requestId = randomUUID()
  const before = await (await rower.channel()).run(sql, { requestId })
  await app.endsWritten()
  return { app, rower, requestId, before, revoke: () => revokeRoles(app, rower) }
}

const withheld = {
  queryState: QUERY_STATES.Failed,
  errCode: CODES.NoPermission.code,
  errMsg: expect.stringMatching(/^You no longer have access to the result .* database administrator/),
  result: [],
  fields: [],
  totalRows: 0,
  resultKept: false,
}

test('rows in memory are not answered again after the permission was revoked', async () => {
  const { rower, requestId, before, revoke } = await ranBeforeRevoked("SELECT 'secret'; SELECT 2")
  expect(before[0]?.result).toEqual([['secret']])
  const channel = await rower.channel()
  expect(await channel.run("SELECT 'secret'; SELECT 2", { requestId })).toEqual(
    before.map((answer) => ({ ...answer })),
  )
  await revoke()
  expect(await channel.run("SELECT 'secret'; SELECT 2", { requestId })).toMatchObject([withheld, withheld])
})

test('nor is what is stored of a statement, when the memory has gone', async () => {
  const { app, rower, requestId, revoke } = await ranBeforeRevoked('SELECT 1')
  await app.store.pool.query('update statements set request_id = $1', ['asked-later'])
  const channel = await rower.channel()
  expect(await channel.run('SELECT 1', { requestId: 'asked-later' })).toMatchObject([{ totalRows: 1 }])
  await revoke()
  expect(requestId).not.toBe('asked-later')
  expect(await channel.run('SELECT 1', { requestId: 'asked-later' })).toMatchObject([withheld])
})

test('a user who attaches to a running request after the privilege was revoked gets no rows of it', async () => {
  const app = await startApp()
  const rower = await app.user(['db_admin'])
  const [here, there] = [await rower.channel(), await rower.channel()]
  const requestId = randomUUID()
  const request = { connId: 0, oriConnId: 0, channel: 'tab', requestId, sql: "SELECT 'secret'" }
  app.engines.hold()
  here.send({ cmd: 2, queryReq: request })
  await here.hear((message) => (message.cmd === 2 ? true : undefined))
  await revokeRoles(app, rower)
  there.send({ cmd: 2, queryReq: request })
  await there.hear((message) => (message.cmd === 2 ? true : undefined))
  app.engines.release()
  expect(await there.finalAnswers(requestId)).toMatchObject([withheld])
  const messages = JSON.stringify(there.heard)
  expect(messages).not.toContain('secret')
})

test('a statement that was refused keeps its own refusal, and those beside it that are allowed their answers', async () => {
  const known = {
    requestId: 'r',
    queryId: 'q',
    connectionId: 1,
    count: 2,
    place: { catalog: '', database: null, warehouse: '' },
  }
  const answer = (index: number, code: 'Ok' | 'NoPermission') =>
    endedAnswer(
      { ...known, index, start: 0, end: 0 },
      code === 'Ok' ? finished(EMPTY_RESULT) : failed(code, ''),
      { timeUsedMs: 1, moved: NOT_MOVED },
    )
  const privileges = {
    holdsAll: ({ activeRoles }: Actor) => activeRoles.includes('db_admin'),
    whyNot: async () => 'It needs SELECT.',
  }
  const again = againFor(actorWith('ABC12345', ['db_admin']), privileges)
  const answers = [answer(0, 'Ok'), answer(1, 'NoPermission')]
  expect(await Promise.all(answers.map(again))).toEqual(answers)
  const refused = await Promise.all(answers.map(againFor(actorWith('ABC12345'), privileges)))
  expect(refused.map(({ code, message }) => [code, message.slice(0, 25)])).toEqual([
    ['NoPermission', 'You no longer have access'],
    ['NoPermission', ''],
  ])
})
