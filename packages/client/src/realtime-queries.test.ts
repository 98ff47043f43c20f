import { LIMITS } from '@boathouse/contract/limits'
import { CHANNEL_CLOSE, type QueryReq } from '@boathouse/contract/realtime'
import { describe, expect, test } from 'vitest'
import { answerTo } from './testing/fake-socket.ts'
import { openChannel, query, reopen, startChannel } from './testing/start-channel.ts'
import { MAX_WAITING } from './pending-queries.ts'

const sentIds = (queries: QueryReq[]) => queries.map((req) => req.requestId.replaceAll('-', ''))

describe('submitting', () => {
  test('sends a query with all its parts as cmd 2 [CHANNEL-25]', () => {
    const { client, sockets } = openChannel()
    const req = query('first', { sql: 'SELECT 1', connId: 7, oriConnId: 3 })
    client.submit(req)
    expect(sockets.latest().sent.at(-1)).toEqual({
      cmd: 2,
      queryReq: { connId: 7, sql: 'SELECT 1', channel: 'tab-1', requestId: 'first---', oriConnId: 3 },
    })
  })

  test('hands on every answer with its fields [CHANNEL-31]', () => {
    const { client, sockets, heard } = openChannel()
    const req = query('first')
    const message = answerTo(req, { totalRows: 2, result: [['1'], [null]], dbChange: true, db: 'sales' })
    client.submit(req)
    sockets.latest().deliver(message)
    expect(heard.answers.map((queryRsp) => ({ cmd: 2, queryRsp }))).toEqual([message])
  })

  test('queries wait in order until the channel opens, behind the keep-alive', () => {
    const { client, sockets } = startChannel()
    client.submit(query('before'))
    client.setConnections(() => [7])
    client.open()
    client.submit(query('during'))
    expect(sockets.latest().sent).toEqual([])
    sockets.latest().accept()
    expect(sockets.latest().sent.map((message) => message.cmd)).toEqual([1, 2, 2])
    expect(sentIds(sockets.latest().queries())).toEqual(['before', 'during'])
  })

  test('what listeners submit on hearing that the channel is open is sent once', () => {
    const { client, sockets } = startChannel()
    client.on('status', (status) => {
      if (status === 'open') client.submit(query('eager'))
    })
    client.open()
    sockets.latest().accept()
    expect(sentIds(sockets.latest().queries())).toEqual(['eager'])
  })

  test('drops what comes when too many wait already', () => {
    const { client, sockets, heard } = startChannel()
    client.open()
    for (let index = 0; index <= MAX_WAITING; index++) client.submit(query(`query${index}`))
    expect(heard.dropped).toMatchObject([{ requestId: `query${MAX_WAITING}`, reason: 'queueFull' }])
    sockets.latest().accept()
    expect(sockets.latest().queries()).toHaveLength(MAX_WAITING)
  })

  test('drops what is not a query the service would take, saying why', () => {
    const { client, sockets, heard } = openChannel()
    client.submit(query('first', { sql: 'x'.repeat(LIMITS.sqlLength + 1) }))
    client.submit({ ...query('second'), requestId: 'a b' })
    expect(heard.dropped.map((one) => one.reason)).toEqual(['refused', 'refused'])
    expect(heard.dropped[0]?.message).not.toBe('')
    expect(sockets.latest().queries()).toEqual([])
  })

  test('a forgotten query is neither sent nor sent again', () => {
    const { client, clock, sockets } = startChannel()
    client.submit(query('first'))
    expect(client.forget('first---')).toBe(true)
    expect(client.forget('first---')).toBe(false)
    client.open()
    sockets.latest().accept()
    expect(sockets.latest().queries()).toEqual([])
    client.submit(query('second'))
    client.forget('second--')
    reopen({ clock, sockets })
    expect(sockets.latest().queries()).toEqual([])
  })
})

describe('a channel that opens again', () => {
  test('sends again what was sent within the 10 s before the connect [CHANNEL-14]', () => {
    const channel = openChannel()
    const { client, clock, sockets, heard } = channel
    client.submit(query('old'))
    clock.advance(1)
    client.submit(query('young', { channel: 'tab-2' }))
    clock.advance(9_000)
    reopen(channel)
    // The connect came 10 001 ms after the first and 10 000 ms after the second.
    expect(sockets.latest().queries()).toEqual([query('young', { channel: 'tab-2' })])
    expect(heard.dropped).toEqual([{ requestId: 'old-----', channel: 'tab-1', reason: 'reset', message: '' }])
  })

  test('leaves no query running that it does not send again [CHANNEL-17]', () => {
    const channel = openChannel()
    channel.client.submit(query('long'))
    channel.clock.advance(20_000)
    channel.sockets.latest().deliver(answerTo(query('long'), { queryState: 1 }))
    reopen(channel)
    expect(channel.heard.dropped).toMatchObject([{ requestId: 'long----', reason: 'reset' }])
    reopen(channel)
    expect(channel.heard.dropped).toHaveLength(1)
  })

  test('does not send again what was finally answered: finished, failed, or last of several statements', () => {
    const channel = openChannel()
    const { client, sockets } = channel
    for (const id of ['done', 'failed', 'several', 'halfway']) client.submit(query(id, { channel: id }))
    const say = (id: string, over: Parameters<typeof answerTo>[1]) =>
      sockets.latest().deliver(answerTo(query(id, { channel: id }), over))
    say('done', {})
    say('failed', { queryState: 3, errCode: 42200, statementIndex: 0, statementCount: 3 })
    say('several', { statementIndex: 0, statementCount: 2 })
    say('several', { statementIndex: 1, statementCount: 2 })
    say('halfway', { statementIndex: 0, statementCount: 2 })
    reopen(channel)
    expect(sentIds(sockets.latest().queries())).toEqual(['halfway'])
  })

  test('sends again the same requestId, so the service runs it once', () => {
    const channel = openChannel()
    channel.client.submit(query('insert', { sql: 'INSERT INTO t VALUES (1)' }))
    reopen(channel)
    expect(channel.sockets.latest().queries()).toEqual(channel.sockets.all[0]?.queries())
  })

  test('counts the 10 s from the first time, so no query is sent for ever', () => {
    const channel = openChannel()
    channel.client.submit(query('poison'))
    for (let round = 0; round < 30; round++) reopen(channel)
    const sent = channel.sockets.all.flatMap((socket) => socket.queries())
    expect(sent).toHaveLength(1 + 10)
  })

  test.each([CHANNEL_CLOSE.BadMessage, 1009])(
    'does not send again what made the service close with %d',
    (code) => {
      const channel = openChannel()
      channel.client.submit(query('refused'))
      reopen(channel, code)
      expect(channel.sockets.latest().queries()).toEqual([])
      expect(channel.heard.dropped).toMatchObject([{ requestId: 'refused-', reason: 'refused' }])
    },
  )

  test('closing drops running and waiting queries', () => {
    const { client, sockets, heard } = openChannel()
    client.submit(query('running'))
    sockets.latest().drop()
    client.submit(query('waiting'))
    client.close()
    expect(heard.dropped.map((one) => [one.requestId, one.reason])).toEqual([
      ['running-', 'closed'],
      ['waiting-', 'closed'],
    ])
  })
})

describe('an answer of 40004', () => {
  const lost = { errCode: 40004, queryState: 3, errMsg: 'connection lost', connId: -1 } as const

  test('sends the query again up to 3 times, on a new connection that follows the old, then drops it [CHANNEL-35, CHANNEL-36, CHANNEL-37, API-20]', () => {
    const { client, sockets, heard } = openChannel()
    client.submit(query('first', { connId: 7 }))
    for (let round = 1; round <= 3; round++) {
      sockets.latest().deliver(answerTo(sockets.latest().queries().at(-1) ?? query(''), lost))
      expect(heard.retries).toHaveLength(round)
    }
    expect(sockets.latest().queries().slice(1)).toEqual(
      Array.from({ length: 3 }, () => query('first', { connId: 0, oriConnId: 7 })),
    )
    expect(heard.dropped).toEqual([])

    sockets.latest().deliver(answerTo(query('first'), lost))
    expect(sockets.latest().queries()).toHaveLength(4)
    expect(heard.retries).toEqual([1, 2, 3])
    expect(heard.answers).toEqual([])
    expect(heard.dropped).toEqual([
      { requestId: 'first---', channel: 'tab-1', reason: 'retriesSpent', message: 'connection lost' },
    ])
  })

  test('after the drop the counter starts again, for the same tab and even the same query [CHANNEL-37]', () => {
    const { client, sockets, heard } = openChannel()
    for (let attempt = 0; attempt < 2; attempt++) {
      client.submit(query('first'))
      for (let round = 0; round < 4; round++) sockets.latest().deliver(answerTo(query('first'), lost))
    }
    expect(heard.retries).toEqual([1, 2, 3, 1, 2, 3])
    expect(heard.dropped).toHaveLength(2)
  })

  test('a retry that works ends like any query', () => {
    const { client, sockets, heard } = openChannel()
    client.submit(query('first'))
    sockets.latest().deliver(answerTo(query('first'), lost))
    sockets.latest().deliver(answerTo(query('first')))
    expect(heard.answers.map((rsp) => rsp.errCode)).toEqual([20000])
    expect(client.forget('first---')).toBe(false)
  })

  test('only the last query of a tab is retried; an earlier one simply failed [CHANNEL-36]', () => {
    const { client, sockets, heard } = openChannel()
    client.submit(query('first'))
    client.submit(query('second'))
    client.submit(query('other', { channel: 'tab-2' }))
    sockets.latest().deliver(answerTo(query('first'), lost))
    expect(heard.answers.map((rsp) => rsp.errCode)).toEqual([40004])
    expect(heard.retries).toEqual([])
    sockets.latest().deliver(answerTo(query('second'), lost))
    sockets.latest().deliver(answerTo(query('other', { channel: 'tab-2' }), lost))
    expect(heard.retries).toEqual([1, 1])
  })

  test('a query on a fresh connection names the one the service had given it', () => {
    const { client, sockets } = openChannel()
    client.submit(query('first', { connId: 0, oriConnId: 3 }))
    sockets.latest().deliver(answerTo(query('first'), lost))
    expect(sockets.latest().queries().at(-1)).toMatchObject({ connId: 0, oriConnId: 3 })
    sockets.latest().deliver(answerTo(query('first'), { ...lost, connId: 12 }))
    expect(sockets.latest().queries().at(-1)).toMatchObject({ connId: 0, oriConnId: 12 })
  })
})
