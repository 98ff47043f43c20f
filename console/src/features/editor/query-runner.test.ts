import { CODES, LIMITS } from '@boathouse/contract'
import type { QueryReq } from '@boathouse/contract'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { createRealtimeClient } from '../../lib/realtime-client.ts'
import { fakeClock } from '../../testing/fake-clock.ts'
import { answerTo, fakeSockets } from '../../testing/fake-socket.ts'
import { createEditorStore } from './editor-store.ts'
import { runningRun, shownRun } from './editor-tab.ts'
import { createQueryRunner } from './query-runner.ts'
import { createRunMemory } from './run-memory.ts'

const TAB = 'tab-1'

beforeEach(() => window.sessionStorage.clear())

/** The real channel client over a socket that the test holds the other end of. */
function bench({ isOpen = true, catalog = '', database = '' } = {}) {
  const clock = fakeClock()
  const sockets = fakeSockets()
  const realtime = createRealtimeClient({
    address: () => 'ws://test',
    openSocket: sockets.open,
    clock,
    log: () => undefined,
  })
  const store = createEditorStore()
  const kill = vi.fn<(requestId: string) => Promise<unknown>>(async () => ({ stopped: true }))
  const memory = createRunMemory(window.sessionStorage)
  const runner = createQueryRunner({ store, realtime, memory, kill, now: clock.now })
  store.open(
    {
      tabId: TAB,
      tabName: 'Query',
      parentFolderName: '',
      catalog,
      database,
      sql: '',
      revision: 1,
      hidden: false,
      active: true,
    },
    {},
  )
  realtime.open()
  if (isOpen) sockets.latest().accept()
  const query = (): QueryReq => sockets.latest().queries().at(-1)!
  return { clock, sockets, realtime, store, kill, runner, query, tab: () => store.tab(TAB)! }
}

const target = { sql: 'select 1', from: 4 }

describe('running a query', () => {
  test('sends it over the channel for its tab, and its answer ends it [CHANNEL-01]', () => {
    const b = bench()
    expect(b.runner.run(TAB, target)).toBe(true)
    expect(b.query()).toMatchObject({ sql: 'select 1', channel: TAB, connId: 0, oriConnId: 0 })
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

  test('whose connection the service no longer knows gets a new one next time [CHANNEL-16]', () => {
    const b = bench()
    b.runner.run(TAB, target)
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 3 }))
    b.sockets.latest().deliver({ cmd: 1, keepAliveRsp: { notAliveConnIds: [3] } })
    expect(b.tab().connId).toBe(-1)
    b.runner.run(TAB, target)
    expect(b.query()).toMatchObject({ connId: 0, oriConnId: 3 })
  })

  test('is told as failed when three retries were used up [CHANNEL-37]', () => {
    const b = bench()
    b.runner.run(TAB, target)
    const lost = { queryState: 3, errCode: CODES.ConnectionLost.code, connId: -1 } as const
    for (let attempt = 0; attempt < 4; attempt++) b.sockets.latest().deliver(answerTo(b.query(), lost))
    expect(b.sockets.latest().queries()).toHaveLength(4)
    expect(shownRun(b.tab())).toMatchObject({ state: 3, failure: 'retriesSpent' })
  })
})

/** Cut for longer than a query is sent again by the channel itself. */
function loseChannel(b: ReturnType<typeof bench>) {
  b.clock.advance(11_000)
  b.sockets.latest().drop()
  b.clock.advance(1_000)
  b.sockets.latest().accept()
}

describe('what became of a query', () => {
  test('is asked under its own id when the channel was lost for too long, and told [EDITOR-20, CHANNEL-38]', () => {
    const b = bench()
    b.runner.run(TAB, target)
    const sent = b.query()
    b.sockets.latest().deliver(answerTo(sent, { connId: 3, queryState: 1 }))
    loseChannel(b)
    expect(shownRun(b.tab())).toMatchObject({ state: 0, failure: null })
    expect(b.query()).toEqual({ ...sent, connId: 3, oriConnId: 3 })
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 3, result: [['42']] }))
    expect(shownRun(b.tab())).toMatchObject({ state: 2, statements: [{ rows: [['42']] }] })
  })

  test('is asked again each time the channel is lost, and what prepares a connection too', () => {
    const b = bench({ catalog: 'default_catalog', database: 'sample' })
    b.runner.run(TAB, target)
    const { requestId } = b.query()
    for (let loss = 0; loss < 3; loss++) loseChannel(b)
    expect(b.query()).toMatchObject({ requestId })
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5 }))
    expect(b.query()).toMatchObject({ sql: 'select 1', connId: 5 })
  })

  test('is asked after a reload: the rows appear in the tab that ran it', () => {
    const left = bench()
    left.runner.run(TAB, target)
    left.sockets.latest().deliver(answerTo(left.query(), { connId: 3 }))
    left.runner.run(TAB, target)
    const sent = left.query()

    const b = bench({ isOpen: false })
    expect(shownRun(b.tab())).toMatchObject({ state: 0, sql: 'select 1', from: 4 })
    b.sockets.latest().accept()
    expect(b.query()).toEqual(sent)
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 3, result: [['42']] }))
    expect(shownRun(b.tab())).toMatchObject({ state: 2, statements: [{ rows: [['42']] }] })

    expect(shownRun(bench().tab())).toBeUndefined()
  })

  test('that was not sent when the page was left is that it runs now, prepared and once', () => {
    const place = { catalog: 'default_catalog', database: 'sample' }
    const left = bench(place)
    left.runner.run(TAB, target)
    const b = bench(place)
    expect(b.query().sql).toContain('"sample"')
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5 }))
    expect(b.query()).toMatchObject({ sql: 'select 1', connId: 5 })
    expect(b.query().requestId).toBe(shownRun(left.tab())?.requestId)
  })

  test('is not asked after signing out', () => {
    const left = bench()
    left.runner.run(TAB, target)
    left.realtime.close()
    expect(shownRun(left.tab())).toMatchObject({ state: 3, failure: 'closed' })
    expect(bench().sockets.latest().queries()).toEqual([])
  })
})

describe('a tab with a database of its own', () => {
  const SAMPLE = { catalog: 'default_catalog', database: 'sample' }
  const USE = 'USE /* Boathouse console */ "default_catalog"."sample"'

  test('brings its new connection there before the query, unseen and marked as the console’s', () => {
    const b = bench(SAMPLE)
    b.runner.run(TAB, target)
    expect(b.sockets.latest().queries()).toHaveLength(1)
    expect(b.query()).toMatchObject({ sql: USE, connId: 0 })
    expect(shownRun(b.tab())?.sql).toBe('select 1')
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, db: 'sample', dbChange: true }))
    expect(b.query()).toMatchObject({ sql: 'select 1', connId: 5 })
    expect(runningRun(b.tab())?.sql).toBe('select 1')
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, db: 'sample' }))
    expect(runningRun(b.tab())).toBeUndefined()
    b.runner.run(TAB, target)
    expect(
      b.sockets
        .latest()
        .queries()
        .map(({ sql }) => sql),
    ).toEqual([USE, 'select 1', 'select 1'])
  })

  test('does not run the query elsewhere when it cannot be brought there', () => {
    const b = bench(SAMPLE)
    b.runner.run(TAB, target)
    const refused = {
      queryState: 3,
      errCode: 42200,
      errMsg: 'no such database',
      connId: 5,
      db: 'main',
    } as const
    b.sockets.latest().deliver(answerTo(b.query(), refused))
    expect(b.sockets.latest().queries()).toHaveLength(1)
    expect(shownRun(b.tab())).toMatchObject({ failure: 'notPrepared', failureDetail: 'no such database' })
    expect(b.tab()).toMatchObject({ connId: 5, database: 'main' })
    b.runner.run(TAB, target)
    expect(b.query()).toMatchObject({ sql: 'select 1', connId: 5 })
  })

  test('can be stopped before its query was sent', async () => {
    const b = bench(SAMPLE)
    b.runner.run(TAB, target)
    await b.runner.stop(TAB)
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5 }))
    expect(b.sockets.latest().queries()).toHaveLength(1)
    expect(shownRun(b.tab())).toMatchObject({ state: 3, failure: 'notSent' })
    expect(b.kill).not.toHaveBeenCalled()
  })

  test('loses its query with what prepares it', () => {
    const b = bench(SAMPLE)
    b.runner.run(TAB, target)
    b.realtime.close()
    expect(shownRun(b.tab())).toMatchObject({ state: 3, failure: 'closed' })
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
    const b = bench({ isOpen: false })
    b.kill.mockRejectedValueOnce(new Error('no network'))
    b.runner.run(TAB, target)
    await b.runner.stop(TAB)
    expect(shownRun(b.tab())).toMatchObject({ state: 3, failure: 'stoppedOffline' })
    b.sockets.latest().accept()
    expect(b.sockets.latest().queries()).toEqual([])
  })
})
