import type { QueryRsp } from '@boathouse/contract/realtime'
import { expect, test } from 'vitest'
import { createSession, DroppedError, StatementError } from './session.ts'
import { answerTo } from './testing/fake-socket.ts'
import { openChannel } from './testing/start-channel.ts'

function start() {
  const channel = openChannel()
  const session = createSession(channel.client, 'session')
  const socket = () => channel.sockets.latest()
  /** What was asked last, once it was. */
  const asked = async () => {
    await Promise.resolve()
    await Promise.resolve()
    const last = socket().queries().at(-1)
    if (!last) throw new Error('Nothing was asked.')
    return last
  }
  const answer = async (over: Partial<QueryRsp> = {}) => socket().deliver(answerTo(await asked(), over))
  return { ...channel, session, asked, answer }
}

test('the second text runs on the connection that the first one was given', async () => {
  const { session, asked, answer } = start()
  const first = session.run('select 1')
  await answer({ connId: 12, result: [['1']] })
  expect((await first).result).toEqual([['1']])
  const second = session.run('select 2')
  expect(await asked()).toMatchObject({ sql: 'select 2', connId: 12 })
  await answer({ connId: 12 })
  await second
  expect(session.connId()).toBe(12)
})

test('a text that is sent while another runs waits for its end', async () => {
  const { session, asked, answer } = start()
  const both = Promise.all([session.run('select 1'), session.run('select 2')])
  expect((await asked()).sql).toBe('select 1')
  await answer()
  await expect.poll(async () => (await asked()).sql).toBe('select 2')
  await answer()
  expect(await both).toHaveLength(2)
})

test('the place of a lost connection goes over to the next one', async () => {
  const { session, asked, answer, sockets } = start()
  const first = session.run('use shop')
  await answer({ connId: 12 })
  await first
  sockets.latest().deliver({ cmd: 1, keepAliveRsp: { notAliveConnIds: [12] } })
  void session.ask('select 1')
  expect(await asked()).toMatchObject({ connId: 0, oriConnId: 12 })
})

test('a text of several statements has an end for each', async () => {
  const { session, answer } = start()
  const ends = session.ask('select 1; select 2')
  await answer({ statementCount: 2, statementIndex: 0, queryState: 1 })
  await answer({ statementCount: 2, statementIndex: 0 })
  await answer({ statementCount: 2, statementIndex: 1, result: [['2']] })
  expect((await ends).map(({ statementIndex, result }) => [statementIndex, result])).toEqual([
    [0, [['1']]],
    [1, [['2']]],
  ])
})

test('a statement that fails rejects with the words of the service and its answer', async () => {
  const { session, answer } = start()
  const failed = session.run('select nothing')
  await answer({ queryState: 3, errCode: 42200, errMsg: 'There is no column nothing.' })
  await expect(failed).rejects.toThrow(StatementError)
  await expect(failed).rejects.toMatchObject({
    message: 'There is no column nothing.',
    answer: { errCode: 42200 },
  })
})

test('closing the channel ends waiting with an error, and giving up waiting keeps the session', async () => {
  const { client, session, asked, answer } = start()
  const stop = new AbortController()
  const impatient = session.ask('select 1', { signal: stop.signal })
  await asked()
  stop.abort(new Error('enough'))
  await expect(impatient).rejects.toThrow('enough')
  const next = session.ask('select 2', { requestId: 'request-2' })
  await expect.poll(async () => (await asked()).requestId).toBe('request-2')
  await answer()
  await next
  const last = session.ask('select 3', { requestId: 'request-3' })
  await expect.poll(async () => (await asked()).requestId).toBe('request-3')
  client.close()
  await expect(last).rejects.toThrow(DroppedError)
  await expect(last).rejects.toMatchObject({ requestId: 'request-3', reason: 'closed' })
})
