import { answerTo } from '@boathouse/client/testing/fake-socket'
import { CODES } from '@boathouse/contract/codes'
import { LIMITS } from '@boathouse/contract/limits'
import { beforeEach, describe, expect, test } from 'vitest'
import { runningRun, shownRun } from '../tabs/editor-tab.ts'
import { bench, TAB, target } from '../testing/runner-bench.ts'

beforeEach(() => {
  window.sessionStorage.clear()
  window.localStorage.clear()
})

describe('running a query', () => {
  test('sends it over the channel for its tab, and its answer ends it [CHANNEL-01]', () => {
    const b = bench()
    expect(b.runner.run(TAB, target)).toBe(true)
    expect(b.query()).toMatchObject({ sql: 'select 1', channel: TAB, connId: 1 })
    expect(runningRun(b.tab())).toMatchObject({ requestId: b.query().requestId, from: 4 })
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 3 }))
    expect(runningRun(b.tab())).toBeUndefined()
    expect(shownRun(b.tab())?.statements[0]?.rows).toEqual([['1']])
  })

  test('uses the connection that the tab has got', () => {
    const b = bench()
    b.runner.run(TAB, target)
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 3 }))
    b.runner.run(TAB, target)
    expect(b.query()).toMatchObject({ connId: 3 })
  })

  test('is refused while the tab runs another', () => {
    const b = bench()
    b.runner.run(TAB, target)
    expect(b.runner.run(TAB, { sql: 'select 2', from: 0 })).toBe(false)
    expect(b.sockets.latest().queries()).toHaveLength(1)
  })

  test('waits for the channel when it is not open', () => {
    const b = bench({ isOpen: false })
    b.runner.run(TAB, target)
    expect(runningRun(b.tab())).toBeDefined()
    b.sockets.latest().accept()
    expect(b.query().sql).toBe('select 1')
  })

  test('longer than the service takes fails here, with the reason', () => {
    const b = bench()
    b.runner.run(TAB, { sql: 'x'.repeat(LIMITS.sqlLength + 1), from: 0 })
    expect(b.sockets.latest().queries()).toEqual([])
    expect(shownRun(b.tab())?.failure).toBe('tooLong')
  })

  test('keeps its connection alive by its id [CHANNEL-15]', () => {
    const b = bench()
    b.runner.run(TAB, target)
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 3 }))
    b.sockets.latest().drop()
    b.clock.advance(1_000)
    b.sockets.latest().accept()
    expect(b.sockets.latest().sent).toContainEqual({ cmd: 1, connIds: [3], since: 0 })
  })

  test('is shown as failed when three retries were used up [CHANNEL-37]', () => {
    const b = bench()
    b.runner.run(TAB, target)
    const lost = { queryState: 3, errCode: CODES.ConnectionLost.code, connId: -1 } as const
    for (let attempt = 0; attempt < 4; attempt++) b.sockets.latest().deliver(answerTo(b.query(), lost))
    expect(b.sockets.latest().queries()).toHaveLength(4)
    expect(shownRun(b.tab())).toMatchObject({ state: 3, failure: 'retriesSpent' })
  })
})

describe('stopping a query', () => {
  test('asks the service to end the statement and waits for its final answer [EDITOR-66]', async () => {
    const b = bench()
    b.runner.run(TAB, target)
    await b.runner.stop(TAB)
    expect(b.kill).toHaveBeenCalledExactlyOnceWith(b.query().requestId)
    expect(runningRun(b.tab())?.stopping).toBe(true)
    b.sockets.latest().deliver(answerTo(b.query(), { queryState: 3, errCode: CODES.Cancelled.code }))
    expect(runningRun(b.tab())).toBeUndefined()
  })

  test('asks once, however often it is pressed, and not at all when nothing runs', async () => {
    const b = bench()
    await b.runner.stop(TAB)
    b.runner.run(TAB, target)
    await Promise.all([b.runner.stop(TAB), b.runner.stop(TAB)])
    expect(b.kill).toHaveBeenCalledTimes(1)
  })

  test('that fails can be tried again', async () => {
    const b = bench()
    b.kill.mockRejectedValueOnce(new Error('refused'))
    b.runner.run(TAB, target)
    await b.runner.stop(TAB)
    expect(runningRun(b.tab())?.stopping).toBe(false)
    await b.runner.stop(TAB)
    expect(b.kill).toHaveBeenCalledTimes(2)
  })

  test('without a connection ends the run here, and it is not sent later', async () => {
    const b = bench()
    b.runner.run(TAB, target)
    b.sockets.latest().drop()
    b.kill.mockRejectedValueOnce(new Error('no network'))
    await b.runner.stop(TAB)
    expect(shownRun(b.tab())).toMatchObject({ state: 3, failure: 'stoppedOffline' })
    b.clock.advance(1_000)
    b.sockets.latest().accept()
    expect(b.sockets.latest().queries()).toEqual([])
  })
})

describe('without a connection', () => {
  const write = { sql: 'insert into t values (1)', from: 0 }

  test('a query is not sent, which is shown, and is sent automatically when it only reads', () => {
    const b = bench()
    b.sockets.latest().drop()
    b.runner.run(TAB, target)
    expect(shownRun(b.tab())).toMatchObject({ held: 'offline', state: 1 })
    b.clock.advance(30_000)
    b.sockets.latest().accept()
    expect(b.query().sql).toBe('select 1')
    expect(shownRun(b.tab())?.held).toBeNull()
  })

  test('one that writes is sent automatically shortly after the user ran it', () => {
    const b = bench()
    b.sockets.latest().drop()
    b.runner.run(TAB, write)
    b.clock.advance(1_000)
    b.sockets.latest().accept()
    expect(b.query().sql).toBe(write.sql)
  })

  test('one that writes is not sent later without asking', () => {
    const b = bench()
    b.sockets.latest().drop()
    b.runner.run(TAB, write)
    b.clock.advance(30_000)
    b.sockets.latest().accept()
    expect(b.sockets.latest().queries()).toEqual([])
    expect(shownRun(b.tab())?.held).toBe('ask')
    b.runner.sendHeld(TAB)
    expect(b.query().sql).toBe(write.sql)
  })

  test('nor after a reload', () => {
    const left = bench()
    left.sockets.latest().drop()
    left.runner.run(TAB, write)
    const b = bench({ isOpen: false })
    b.clock.advance(30_000)
    b.sockets.latest().accept()
    expect(b.sockets.latest().queries()).toEqual([])
    expect(shownRun(b.tab())?.held).toBe('ask')
  })

  test('what was not sent is cancelled here', async () => {
    const b = bench()
    b.sockets.latest().drop()
    b.runner.run(TAB, write)
    await b.runner.stop(TAB)
    expect(shownRun(b.tab())).toMatchObject({ state: 3, failure: 'notSent', held: null })
    b.clock.advance(1_000)
    b.sockets.latest().accept()
    expect(b.sockets.latest().queries()).toEqual([])
  })
})
