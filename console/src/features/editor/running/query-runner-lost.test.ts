import { answerTo } from '@boathouse/client/testing/fake-socket'
import { beforeEach, describe, expect, test } from 'vitest'
import { shownRun } from '../tabs/editor-tab.ts'
import { answerPreparation } from '../testing/prepared-sockets.ts'
import { bench, TAB, target } from '../testing/runner-bench.ts'

beforeEach(() => {
  window.sessionStorage.clear()
  window.localStorage.clear()
})

/** Cut for longer than a query is sent again by the channel itself. */
function loseChannel(b: ReturnType<typeof bench>) {
  b.clock.advance(11_000)
  b.sockets.latest().drop()
  b.clock.advance(1_000)
  b.sockets.latest().accept()
}

describe('the outcome of a query', () => {
  test('is requested under its own id when the channel was lost for too long, and shown [EDITOR-20, CHANNEL-38]', () => {
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

  test('is requested again each time the channel is lost, and the preparation of a connection too', () => {
    const b = bench({ prepares: false })
    b.runner.run(TAB, target)
    const { requestId } = b.query()
    for (let loss = 0; loss < 3; loss++) loseChannel(b)
    expect(b.query()).toMatchObject({ requestId })
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5 })
    expect(b.query()).toMatchObject({ sql: 'select 1', connId: 5 })
  })

  test('is requested after a reload: the rows appear in the tab that ran it', () => {
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
  })

  test('that has ended is shown again after a reload, marked with its time, and nothing is run for it', () => {
    const left = bench()
    left.runner.run(TAB, target)
    const sent = left.query()
    left.clock.advance(500)
    left.sockets.latest().deliver(answerTo(sent, { connId: 3, catalogChange: true, catalog: 'other' }))
    const endedBefore = shownRun(left.tab())?.endTime

    const b = bench({ isOpen: false })
    expect(shownRun(b.tab())).toMatchObject({ sql: 'select 1', from: 4, endedBefore })
    b.sockets.latest().accept()
    expect(b.query()).toMatchObject({ requestId: sent.requestId, sql: 'select 1' })
    b.sockets
      .latest()
      .deliver(answerTo(b.query(), { connId: 9, result: [['42']], catalogChange: true, catalog: 'other' }))
    expect(shownRun(b.tab())).toMatchObject({ state: 2, statements: [{ rows: [['42']] }] })
    // An answer of then says nothing about the connection of now.
    expect(b.tab()).toMatchObject({ connId: 0, catalog: '' })
    b.runner.run(TAB, target)
    expect(b.query().requestId).not.toBe(sent.requestId)
  })

  test('whose result is no longer kept is not asked for', () => {
    const left = bench()
    left.runner.run(TAB, target)
    left.sockets.latest().deliver(answerTo(left.query(), { connId: 3 }))
    const b = bench({ at: 25 * 3_600_000 })
    expect(shownRun(b.tab())).toBeUndefined()
  })

  test('that was not sent when the page was left is that it runs now, prepared and once', () => {
    const place = { catalog: 'default_catalog', database: 'sample', prepares: false }
    const left = bench(place)
    left.runner.run(TAB, target)
    const b = bench(place)
    expect(b.query().sql).toContain('"sample"')
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5 })
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
