import type { QueryRsp } from '@boathouse/contract/realtime'
import { describe, expect, test } from 'vitest'
import { answerRun, newRun } from '../running/run.ts'
import { mergePlan, outcomeKey, rowsChanged, shownIndex, statementView } from './statement-view.ts'
import { answer } from '../testing/answers.ts'

function ran(sql: string, over: Partial<QueryRsp> = {}) {
  const start = { requestId: 'request-1', sql, from: 0, visible: true, now: 0 }
  const run = answerRun(newRun(start), answer(start, over), 1)
  const statement = run.statements[0]!
  return { run, statement, view: statementView(run, statement) }
}

const TEXT = { type: 'VARCHAR', family: 'text' } as const
const NOTHING = { fields: [], result: [] }

describe('what is shown of a statement', () => {
  test('are its rows, also when there are none or when they are only stored', () => {
    expect(ran('select 1').view).toBe('rows')
    expect(ran('select 1 where false', { result: [], totalRows: 0 }).view).toBe('rows')
    expect(ran('select 1', { ...NOTHING, resultKept: true }).view).toBe('rows')
    expect(ran('insert into t select 1', { ...NOTHING, resultKept: true }).view).toBe('done')
  })

  test('is its state while it has no result', () => {
    expect(statementView(ran('select 1').run, undefined)).toBe('waiting')
    expect(ran('select 1', { queryState: 1 }).view).toBe('running')
    expect(ran('select 1', { queryState: 0 }).view).toBe('running')
    expect(ran('select 1', { queryState: 3, errCode: 42200 }).view).toBe('failed')
    expect(ran('select 1', { queryState: 3, errCode: 40008 }).view).toBe('stopped')
  })

  test('is what it did when it has no rows', () => {
    expect(ran('create table t (a int)', NOTHING).view).toBe('done')
    const { statement, view } = ran('insert into t select 1', { ...NOTHING, totalRows: 3 })
    expect(view).toBe('done')
    expect(rowsChanged(statement)).toBe(3)
  })

  test('counts changed rows also where the engine answers them as a column', () => {
    const count = { fields: [{ name: 'Count', type: 'BIGINT', family: 'number' }], result: [['42']] } as const
    const { statement, view } = ran('delete from t', { fields: [...count.fields], result: [['42']] })
    expect([view, rowsChanged(statement)]).toEqual(['done', 42])
    expect(ran('select count(*) as "Count" from t', { fields: [...count.fields] }).view).toBe('rows')
    expect(ran('insert into t values (1) returning a', { result: [['1']] }).view).toBe('rows')
  })

  test('is one text for a plan, however the engine answers it [EDITOR-19]', () => {
    const lines = ran('explain select 1', {
      fields: [{ name: 'Explain String', ...TEXT }],
      result: [['PLAN'], ['  SCAN'], [null]],
    })
    expect(lines.view).toBe('plan')
    expect(mergePlan(lines.statement.fields, lines.statement.rows)).toBe('PLAN\n  SCAN\n')
    const named = ran('EXPLAIN ANALYZE select 1', {
      fields: [
        { name: 'explain_key', ...TEXT },
        { name: 'explain_value', ...TEXT },
      ],
      result: [['physical_plan', 'tree']],
    })
    expect(named.view).toBe('plan')
    expect(mergePlan(named.statement.fields, named.statement.rows)).toBe('tree')
  })

  test('is put in the words of its kind', () => {
    const kinds = [
      'insert into t values (1)',
      'update t set a = 1',
      'truncate t',
      'create view v as select 1',
    ]
    expect(kinds.map(outcomeKey)).toEqual(['inserted', 'updated', 'deleted', 'created'])
    expect(['drop table t', 'alter table t add b int', 'use tpch'].map(outcomeKey)).toEqual([
      'dropped',
      'altered',
      'done',
    ])
  })
})

describe('the statement shown of a run', () => {
  const start = { requestId: 'request-1', sql: 'a; b; c', from: 0, visible: true, now: 0 }
  const part = (statementIndex: number, over: Partial<QueryRsp> = {}) =>
    answer(start, { statementIndex, statementCount: 3, ...over })

  test('is the one that runs, until one fails or is chosen', () => {
    const one = answerRun(newRun(start), part(0), 1)
    expect(shownIndex(newRun(start), null)).toBe(0)
    const two = answerRun(one, part(1, { queryState: 1 }), 1)
    expect(shownIndex(two, null)).toBe(1)
    const failed = answerRun(
      answerRun(two, part(1, { queryState: 3, errCode: 42200 }), 1),
      part(2, { queryState: 3, errCode: 40008 }),
      1,
    )
    expect(shownIndex(failed, null)).toBe(1)
    expect(shownIndex(failed, 0)).toBe(0)
    expect(shownIndex(failed, 7)).toBe(1)
  })
})
