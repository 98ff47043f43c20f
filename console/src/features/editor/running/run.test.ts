import { CODES } from '@boathouse/contract/codes'
import { QUERY_STATES, type QueryRsp } from '@boathouse/contract/realtime'
import { describe, expect, test } from 'vitest'
import { answerRun, askRun, elapsedOf, failRun, isRunning, isSkipped, isStopped, newRun } from './run.ts'
import { answer } from '../testing/answers.ts'

const start = { requestId: 'request-1', sql: 'select 1; select 2', from: 0, visible: true, now: 1_000 }
const first: Partial<QueryRsp> = { statementIndex: 0, statementCount: 2, statementStart: 0, statementEnd: 8 }
const second: Partial<QueryRsp> = {
  statementIndex: 1,
  statementCount: 2,
  statementStart: 10,
  statementEnd: 18,
}

describe('a run', () => {
  test('starts as running and ends as finished or failed [EDITOR-24]', () => {
    const run = newRun(start)
    expect(run.state).toBe(QUERY_STATES.Running)
    expect(answerRun(run, answer(run), 2_000).state).toBe(QUERY_STATES.Finished)
    const refused = answer(run, { queryState: 3, errCode: CODES.QueryFailed.code, errMsg: 'no such table' })
    expect(answerRun(run, refused, 2_000).state).toBe(QUERY_STATES.Failed)
  })

  test('keeps everything an answer says about a statement [EDITOR-17]', () => {
    const run = answerRun(newRun(start), answer(start, { ...first, timeUsed: 40, truncated: true }), 2_000)
    expect(run.statements).toEqual([
      expect.objectContaining({
        requestId: 'request-1',
        sql: 'select 1',
        queryId: 'query-1',
        fields: [{ name: '1', type: 'INTEGER', family: 'number' }],
        rows: [['1']],
        totalRows: 1,
        truncated: true,
        state: QUERY_STATES.Finished,
        startTime: 1_960,
        endTime: 2_000,
        errMsg: '',
        timeUsed: 40,
      }),
    ])
    expect(run.visible).toBe(true)
  })

  test('is over when the last of its statements is', () => {
    const half = answerRun(newRun(start), answer(start, first), 2_000)
    expect(isRunning(half)).toBe(true)
    const whole = answerRun(half, answer(start, second), 3_000)
    expect(whole.state).toBe(QUERY_STATES.Finished)
    expect(whole.statements.map(({ sql }) => sql)).toEqual(['select 1', 'select 2'])
    expect(whole.endTime).toBe(3_000)
  })

  test('ends with its first error, and the statements after it count as not run', () => {
    const failed = answerRun(newRun(start), answer(start, { ...first, queryState: 3, errCode: 42200 }), 2_000)
    expect(failed.state).toBe(QUERY_STATES.Failed)
    const skipped = answerRun(failed, answer(start, { ...second, queryState: 3, errCode: 40008 }), 2_000)
    const [one, two] = skipped.statements
    expect(one && isSkipped(skipped, one)).toBe(false)
    expect(two && isSkipped(skipped, two)).toBe(true)
    expect(two && isStopped(skipped, two)).toBe(false)
  })

  test('takes answers in any order, and a late report of progress changes nothing', () => {
    const run = answerRun(newRun(start), answer(start, second), 2_000)
    const both = answerRun(run, answer(start, first), 2_500)
    expect(both.statements.map(({ index }) => index)).toEqual([0, 1])
    expect(answerRun(both, answer(start, { ...first, queryState: 1 }), 3_000)).toBe(both)
  })

  test('answered twice, shows the answer once', () => {
    const once = answerRun(newRun(start), answer(start), 2_000)
    expect(answerRun(once, answer(start, { result: [['2']] }), 3_000)).toBe(once)
  })

  test('given up by the console is believed only until the server answers after all', () => {
    const given = failRun(newRun(start), { failure: 'closed', detail: '', code: 0, now: 2_000 })
    expect(given).toMatchObject({ state: QUERY_STATES.Failed, failure: 'closed', endTime: 2_000 })
    expect(answerRun(given, answer(start), 3_000)).toMatchObject({
      state: QUERY_STATES.Finished,
      failure: null,
    })
  })

  test('asked for is neither running nor over until the service says which', () => {
    const asked = askRun(answerRun(newRun(start), answer(start, first), 2_000))
    expect(asked).toMatchObject({ state: QUERY_STATES.Unknown, endTime: null })
    expect(answerRun(asked, answer(start, first), 3_000)).toMatchObject({ state: QUERY_STATES.Running })
    expect(answerRun(asked, answer(start, second), 3_000)).toMatchObject({ state: QUERY_STATES.Finished })
    const over = answerRun(newRun(start), answer(start), 2_000)
    expect(askRun(over)).toBe(over)
  })

  test('that is over is not given up', () => {
    const over = answerRun(newRun(start), answer(start), 2_000)
    expect(failRun(over, { failure: 'closed', detail: '', code: 0, now: 3_000 })).toBe(over)
  })

  test('refused as a whole shows the whole text as the statement', () => {
    const refused = answer(start, { queryState: 3, errCode: 42901, statementStart: 0, statementEnd: 0 })
    expect(answerRun(newRun(start), refused, 2_000).statements[0]?.sql).toBe(start.sql)
  })

  test('says how long it takes while it runs, and how long it took after', () => {
    const run = newRun(start)
    expect(elapsedOf(run, 4_500)).toBe(3_500)
    expect(elapsedOf(answerRun(run, answer(start), 2_000), 4_500)).toBe(1_000)
    expect(elapsedOf(run, 0)).toBe(0)
  })
})
