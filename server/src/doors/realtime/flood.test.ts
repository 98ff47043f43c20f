import { randomUUID } from 'node:crypto'
import { QUERY_STATES, user } from '@boathouse/contract'
import { expect, onTestFinished, test } from 'vitest'
import { startApp, type TestApp } from '../../testing/start-app.ts'
import type { TestChannel } from '../../testing/test-channel.ts'

/** Somebody is in the middle of a transaction that has locked these rows, until the test lets go. */
async function hold(app: TestApp, rows: string, id: number | string): Promise<() => Promise<void>> {
  const holder = await app.store.pool.connect()
  // Its connection is ended with it, and so is a transaction that is still open.
  onTestFinished(() => holder.release(true))
  await holder.query('begin')
  await holder.query(`select 1 from ${rows} = $1 for update`, [id])
  return async () => void (await holder.query('commit'))
}

const holdConnection = (app: TestApp, connId: number) => hold(app, 'connections where connection_id', connId)

/** Nothing of what was sent before is still on the line: what cannot be read is answered as it comes. */
async function allReceived(channel: TestChannel): Promise<void> {
  channel.socket.send('nonsense')
  await channel.hear((message) => (message.cmd === 3 && message.type === 'BadMessage' ? true : undefined))
}

const PATIENCE = { timeout: 10_000 }

const keepAlivesAnswered = (channel: TestChannel): number =>
  channel.heard.filter((message) => message.cmd === 1).length

test('3000 keep-alives on one channel wait together for one turn, and others are answered meanwhile', async () => {
  const app = await startApp()
  const flooding = await (await app.admin()).channel()
  const [{ connId } = { connId: 0 }] = await flooding.run('SELECT 1')
  const other = await app.user(['db_admin'])
  const letGo = await holdConnection(app, connId)
  for (let sent = 0; sent < 3000; sent++) flooding.send({ cmd: 1, connIds: [connId, 900_000 + (sent % 10)] })
  await allReceived(flooding)
  expect((await other.call(user.info, {})).code).toBe(20000)
  expect((await (await other.channel()).run('SELECT 1'))[0]?.queryState).toBe(QUERY_STATES.Finished)
  expect(keepAlivesAnswered(flooding), 'the first still waits').toBe(0)
  await letGo()
  const dead = await flooding.hear((message) =>
    message.cmd === 1 && message.keepAliveRsp.notAliveConnIds.length === 10
      ? message.keepAliveRsp.notAliveConnIds
      : undefined,
  )
  expect(dead.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, id) => 900_000 + id))
  expect(keepAlivesAnswered(flooding)).toBe(2)
})

test('a statement that runs holds up neither a keep-alive nor a kill nor the next query behind it', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  const [{ connId } = { connId: 0 }] = await channel.run('SELECT 1')
  app.engines.hold()
  const running = channel.run('SELECT 2', { connId })
  channel.send({ cmd: 1, connIds: [connId, 999_999] })
  await channel.hear((message) => (message.cmd === 1 ? true : undefined))
  channel.send({ cmd: 3, connId })
  expect((await channel.run('SELECT 3', { connId }))[0]).toMatchObject({ errCode: 40004 })
  app.engines.release()
  await running
})

test('requests of one channel are written down one after the other, however many come at once', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  const other = await app.user(['db_admin'])
  // Opening a connection waits for the account.
  const letGo = await hold(app, 'accounts where account_id', app.accountId)
  const answers = Array.from({ length: 60 }, () => channel.run('SELECT 1'))
  await allReceived(channel)
  await expect
    .poll(async () => {
      const { rows } = await app.store.pool.query<{ waiting: number }>(
        `select count(*)::int as waiting from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows[0]?.waiting
    }, PATIENCE)
    .toBe(1)
  expect((await other.call(user.info, {})).code).toBe(20000)
  await letGo()
  const states = (await Promise.all(answers)).map(([answer]) => answer?.queryState)
  expect(new Set(states)).toEqual(new Set([QUERY_STATES.Finished]))
})

test('of more messages than may wait none is lost: they are read when there is room', async () => {
  const app = await startApp()
  const channel = await (await app.admin()).channel()
  const [{ connId } = { connId: 0 }] = await channel.run('SELECT 1')
  const letGo = await holdConnection(app, connId)
  channel.send({ cmd: 1, connIds: [connId] })
  const note = 'x'.repeat(1000)
  for (let sent = 0; sent < 500; sent++)
    channel.socket.send(JSON.stringify({ cmd: 3, connId: 999_999, note }))
  channel.send({ cmd: 1, connIds: [999_998] })
  await expect.poll(() => channel.socket.bufferedAmount, PATIENCE).toBe(0)
  await letGo()
  await channel.hear((message) =>
    message.cmd === 1 && message.keepAliveRsp.notAliveConnIds.includes(999_998) ? true : undefined,
  )
})

test('what waits when a channel is closed is dropped with it', async () => {
  const app = await startApp()
  const admin = await app.admin()
  const channel = await admin.channel()
  const [{ connId } = { connId: 0 }] = await channel.run('SELECT 1')
  const letGo = await holdConnection(app, connId)
  channel.send({ cmd: 1, connIds: [connId] })
  const requestId = randomUUID()
  channel.send({
    cmd: 2,
    queryReq: { connId, oriConnId: connId, channel: 'tab', requestId, sql: 'CREATE TABLE never (n int)' },
  })
  await allReceived(channel)
  channel.socket.close()
  await expect
    .poll(async () => (await app.http.inject('/metrics')).body, PATIENCE)
    .toContain('boathouse_channels 0')
  await letGo()
  const again = await admin.channel()
  // Behind whatever the closed channel may have begun.
  await again.run('SELECT 1', { connId })
  const { rows } = await app.store.pool.query('select 1 from statements where request_id = $1', [requestId])
  expect(rows).toEqual([])
})
