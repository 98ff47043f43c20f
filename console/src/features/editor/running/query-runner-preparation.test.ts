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
  test('does not run the query elsewhere; the tab has the place of the connection', () => {
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

  test('that is the place of the tab already changes nothing', () => {
    const b = connected()
    b.store.choosePlace(TAB, { catalog: 'default_catalog', database: 'sample' }, b.clock.now())
    b.runner.run(TAB, target)
    expect(b.query()).toMatchObject({ sql: 'select 1' })
  })
})

const MARK = '/* Boathouse console */'
const VARIABLES = (limit: string) => ({ result: [['sql_select_limit', limit]] })

describe('a row limit other than the usual', () => {
  /** Answers everything that the console sends before the query; returns what was sent. */
  const settle = (b: ReturnType<typeof bench>, limit = '1000') => {
    for (let answers = 0; b.query().sql.includes(MARK) && answers < 10; answers++)
      answerPreparation(b.sockets.latest(), b.query(), {
        connId: 5,
        ...(b.query().sql.includes('VARIABLES') && VARIABLES(limit)),
      })
    return sent(b)
  }
  const SET = (limit: string) => `SET ${MARK} sql_select_limit=${limit}`
  const run = (b: ReturnType<typeof bench>, limit = '1000') => {
    const before = sent(b).length
    b.runner.run(TAB, target)
    const after = settle(b, limit).slice(before)
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, db: 'sample' }))
    return after.filter((sql) => !sql.includes('VARIABLES'))
  }
  const choose = (b: ReturnType<typeof bench>, limit: string) => {
    b.clock.advance(1)
    b.store.chooseLimit(TAB, limit, b.clock.now())
  }

  test.each(['10000', '100000', 'none', '100', '1'])('of %s is set once, and the query follows', (limit) => {
    const b = bench(SAMPLE)
    choose(b, limit)
    expect(run(b)).toEqual([SET(limit), 'select 1'])
    expect(run(b, limit)).toEqual(['select 1'])
  })

  test.each([
    ['18446744073709551615', 'none'],
    ['10000', '10000'],
    ['250', '250'],
  ])('of %s, which the connection has already, is not set', (has, wanted) => {
    const b = bench(SAMPLE)
    choose(b, wanted)
    expect(run(b, has)).toEqual(['select 1'])
  })

  test('gives way to the usual one when that is chosen again, also from a smaller one', () => {
    const b = bench(SAMPLE)
    choose(b, '50')
    expect(run(b)).toEqual([SET('50'), 'select 1'])
    choose(b, '1000')
    expect(run(b, '50')).toEqual([SET('1000'), 'select 1'])
  })

  test.each(['while it is prepared', 'while its limit is set', 'while it runs'])(
    'that is chosen %s holds for the next query',
    (when) => {
      const b = bench(SAMPLE)
      choose(b, '10000')
      b.runner.run(TAB, target)
      if (when !== 'while it is prepared')
        answerPreparation(b.sockets.latest(), b.query(), { connId: 5, ...VARIABLES('1000') })
      if (when === 'while it runs') settle(b)
      choose(b, 'none')
      settle(b)
      b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, db: 'sample' }))
      expect(sent(b).filter((sql) => sql === 'select 1')).toHaveLength(1)
      expect(b.tab().rowLimit).toBe('none')
      const has = when === 'while it is prepared' ? '18446744073709551615' : '10000'
      const then = run(b, has)
      expect(then.at(-1)).toBe('select 1')
      expect(then.includes(SET('none'))).toBe(when !== 'while it is prepared')
    },
  )

  test('that cannot be set fails the query, and says why', () => {
    const b = bench(SAMPLE)
    choose(b, 'none')
    b.runner.run(TAB, target)
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5, ...VARIABLES('1000') })
    expect(b.query().sql).toBe(SET('none'))
    const refused = { queryState: 3, errCode: CODES.QueryFailed.code, errMsg: 'no' } as const
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, fields: [], result: [], ...refused }))
    expect(sent(b)).not.toContain('select 1')
    expect(shownRun(b.tab())).toMatchObject({ failure: 'notPrepared', failureDetail: 'no' })
  })

  test('can be stopped before the query was sent', async () => {
    const b = bench(SAMPLE)
    choose(b, 'none')
    b.runner.run(TAB, target)
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5, ...VARIABLES('1000') })
    await b.runner.stop(TAB)
    settle(b)
    expect(sent(b).filter((sql) => sql === SET('none'))).toHaveLength(1)
    expect(sent(b)).not.toContain('select 1')
  })
})

describe('another warehouse, chosen by the user', () => {
  const SET_BI = `SET ${MARK} WAREHOUSE "wh_bi"`
  const answered = (b: ReturnType<typeof bench>, over: Partial<QueryRsp> = {}) =>
    b.sockets.latest().deliver(answerTo(b.query(), { connId: 5, db: 'sample', ...over }))
  const choose = (b: ReturnType<typeof bench>) => {
    b.clock.advance(1)
    b.store.chooseWarehouse(TAB, 'wh_bi', b.clock.now())
  }

  test('while a query runs on the one before stays chosen when its answer comes', () => {
    const b = startRun()
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5 })
    choose(b)
    answered(b, { warehouse: 'wh_etl' })
    expect(b.tab().warehouse).toBe('wh_bi')
    b.runner.run(TAB, target)
    expect(b.query().sql).toContain(SET_BI)
  })

  test('does not undo where a statement went meanwhile', () => {
    const b = startRun()
    answerPreparation(b.sockets.latest(), b.query(), { connId: 5 })
    choose(b)
    answered(b, { db: 'sales', dbChange: true })
    expect(b.tab()).toMatchObject({ warehouse: 'wh_bi', database: 'sales' })
    b.runner.run(TAB, target)
    expect(b.query().sql).toContain('"sales"')
  })
})
