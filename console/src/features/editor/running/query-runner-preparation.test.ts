import { answerTo } from '@boathouse/client/testing/fake-socket'
import { CODES } from '@boathouse/contract/codes'
import type { QueryRsp } from '@boathouse/contract/realtime'
import { beforeEach, describe, expect, test } from 'vitest'
import { runningRun, shownRun } from '../tabs/editor-tab.ts'
import { answerPreparation } from '../testing/prepared-sockets.ts'
import { bench, TAB, target } from '../testing/runner-bench.ts'

beforeEach(() => {
  window.sessionStorage.clear()
  window.localStorage.clear()
})

const SAMPLE = { catalog: 'default_catalog', database: 'sample', prepares: false }
const SHOW = 'SHOW /* Boathouse console */ VARIABLES'
const USE = 'USE /* Boathouse console */ "default_catalog"."sample"'
const LIMIT = 'SET /* Boathouse console */ sql_select_limit=1000'

const startRun = () => {
  const b = bench(SAMPLE)
  b.runner.run(TAB, target)
  return b
}
const sent = (b: ReturnType<typeof bench>) =>
  b.sockets
    .latest()
    .queries()
    .map(({ sql }) => sql)

/** SHOW VARIABLES is answered; USE, the second statement, is not. */
const refuse = (b: ReturnType<typeof bench>, over: Partial<QueryRsp>) => {
  const part = { connId: 5, db: 'main', statementCount: 2 }
  b.sockets.latest().deliver(answerTo(b.query(), { ...part, statementIndex: 0 }))
  b.sockets
    .latest()
    .deliver(
      answerTo(b.query(), { ...part, statementIndex: 1, queryState: 3, fields: [], result: [], ...over }),
    )
}

describe('a new connection', () => {
  test('is brought to the tab’s place before the query, unseen, once and in one text [EDITOR-39, EDITOR-40]', () => {
    const b = startRun()
    expect(sent(b)).toEqual([`${SHOW};\n${USE}`])
    expect(b.query()).toMatchObject({ connId: 0 })
    expect(shownRun(b.tab())?.sql).toBe('select 1')
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5 })
    expect(b.query()).toMatchObject({ sql: 'select 1', connId: 5 })
    expect(runningRun(b.tab())?.sql).toBe('select 1')
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, db: 'sample' }))
    expect(runningRun(b.tab())).toBeUndefined()
    b.runner.run(TAB, target)
    expect(sent(b)).toEqual([`${SHOW};\n${USE}`, 'select 1', 'select 1'])
  })

  test('with a select limit above 1000 gets 1000, after the place and before the query [EDITOR-36, EDITOR-39]', () => {
    const b = startRun()
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5, result: [['sql_select_limit', '5000']] })
    expect(sent(b)).toEqual([`${SHOW};\n${USE}`, LIMIT])
    expect(b.query()).toMatchObject({ connId: 5 })
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, db: 'sample', fields: [], result: [] }))
    expect(sent(b)).toEqual([`${SHOW};\n${USE}`, LIMIT, 'select 1'])
  })

  test('follows one that the service no longer knows, and is prepared again [CHANNEL-16]', () => {
    const b = startRun()
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5 })
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, db: 'sample' }))
    b.sockets.latest().deliver({ cmd: 1, keepAliveRsp: { notAliveConnIds: [5] } })
    expect(b.tab().connId).toBe(-1)
    b.runner.run(TAB, target)
    expect(b.query()).toMatchObject({ connId: 0, oriConnId: 5 })
    expect(b.query().sql).toContain(SHOW)
    expect(b.query().sql).toContain(USE)
  })
})

describe('a connection that cannot be prepared', () => {
  test('does not run the query elsewhere; the tab stands where the connection does', () => {
    const b = startRun()
    refuse(b, { errCode: CODES.QueryFailed.code, errMsg: 'no such database' })
    expect(sent(b)).toHaveLength(1)
    expect(shownRun(b.tab())).toMatchObject({
      failure: 'notPrepared',
      failureDetail: 'no such database',
      failureCode: CODES.QueryFailed.code,
    })
    expect(b.tab()).toMatchObject({ connId: 5, database: 'main' })
    b.runner.run(TAB, target)
    expect(b.query()).toMatchObject({ sql: 'select 1', connId: 5 })
  })

  test('for want of a running warehouse is prepared again by the next run, for the same place', () => {
    const b = startRun()
    refuse(b, { errCode: CODES.NoRunningWarehouse.code, errMsg: 'suspended' })
    expect(shownRun(b.tab())).toMatchObject({ failure: 'notPrepared', failureCode: 42201 })
    expect(b.tab()).toMatchObject({ connId: 5, database: 'sample' })
    b.runner.run(TAB, target)
    expect(b.query()).toMatchObject({ connId: 5, sql: `${SHOW};\n${USE}` })
  })

  test('can be stopped before its query was sent', async () => {
    const b = startRun()
    await b.runner.stop(TAB)
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5 })
    expect(sent(b)).toHaveLength(1)
    expect(shownRun(b.tab())).toMatchObject({ state: 3, failure: 'notSent' })
    expect(b.kill).not.toHaveBeenCalled()
  })

  test('loses its query with what prepares it', () => {
    const b = startRun()
    b.realtime.close()
    expect(shownRun(b.tab())).toMatchObject({ state: 3, failure: 'closed' })
  })
})

describe('another database, chosen by the user', () => {
  const SALES = { catalog: 'default_catalog', database: 'sales' }
  const USE_SALES = 'USE /* Boathouse console */ "default_catalog"."sales"'
  /** On connection 5, in the sample database, with nothing under way. */
  const connected = () => {
    const b = startRun()
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5 })
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, db: 'sample' }))
    return b
  }
  const choose = (b: ReturnType<typeof bench>) => {
    b.clock.advance(1)
    b.store.choosePlace(TAB, SALES, b.clock.now())
  }

  test('is where the connection is brought before the next query, once [EDITOR-39]', () => {
    const b = connected()
    choose(b)
    expect(b.tab()).toMatchObject(SALES)
    b.runner.run(TAB, target)
    expect(b.query()).toMatchObject({ connId: 5 })
    expect(b.query().sql).toBe(
      `${SHOW};\nSET /* Boathouse console */ WAREHOUSE "default_warehouse";\n${USE_SALES}`,
    )
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5 })
    expect(b.query()).toMatchObject({ sql: 'select 1', connId: 5 })
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, db: 'sales' }))
    b.runner.run(TAB, target)
    expect(sent(b).filter((sql) => sql.includes(USE_SALES))).toHaveLength(1)
  })

  test('while a query runs elsewhere stays chosen when its answer comes', () => {
    const b = connected()
    b.runner.run(TAB, target)
    choose(b)
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, db: 'sample' }))
    expect(b.tab()).toMatchObject(SALES)
    b.runner.run(TAB, target)
    expect(b.query().sql).toContain(USE_SALES)
  })

  test('while the connection is on its way elsewhere is where the next query goes', () => {
    const b = startRun()
    choose(b)
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5 })
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, db: 'sample' }))
    expect(b.tab()).toMatchObject(SALES)
    b.runner.run(TAB, target)
    expect(b.query()).toMatchObject({ connId: 5 })
    expect(b.query().sql).toContain(USE_SALES)
  })

  test('that is where the tab stands already changes nothing', () => {
    const b = connected()
    b.store.choosePlace(TAB, { catalog: 'default_catalog', database: 'sample' }, b.clock.now())
    b.runner.run(TAB, target)
    expect(b.query()).toMatchObject({ sql: 'select 1' })
  })
})
