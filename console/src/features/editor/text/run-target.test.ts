import { describe, expect, test } from 'vitest'
import { runTarget } from './run-target.ts'

const TEXT = 'select 1;\n\n-- the second\nselect 2 from t;\n\n'
const cursor = (head: number) => ({ from: head, to: head, head })

describe('what is run', () => {
  test('is the statement at the cursor', () => {
    expect(runTarget(TEXT, cursor(3), 'statement')).toEqual({ sql: 'select 1', from: 0 })
    const at = TEXT.indexOf('select 2')
    expect(runTarget(TEXT, cursor(at + 4), 'statement')).toEqual({ sql: 'select 2 from t', from: at })
    expect(runTarget(TEXT, cursor(TEXT.length), 'statement')).toEqual({ sql: 'select 2 from t', from: at })
  })

  test('is the selection where there is one, to the character', () => {
    expect(runTarget(TEXT, { from: 2, to: 8, head: 8 }, 'statement')).toEqual({ sql: 'lect 1', from: 2 })
  })

  test('is the statement at the cursor when only blanks are selected', () => {
    expect(runTarget(TEXT, { from: 9, to: 11, head: 9 }, 'statement')).toEqual({ sql: 'select 1', from: 0 })
  })

  test('is the whole text when everything is run, whatever is selected', () => {
    expect(runTarget(TEXT, { from: 2, to: 8, head: 8 }, 'all')).toEqual({ sql: TEXT, from: 0 })
  })

  test('is the statement after EXPLAIN, marked at its place', () => {
    expect(runTarget(TEXT, cursor(3), 'explain')).toEqual({ sql: 'EXPLAIN select 1', from: -8 })
  })

  test('is the statement behind EXPLAIN ANALYZE when it is analysed, and never behind two of them', () => {
    expect(runTarget(TEXT, cursor(3), 'analyse')).toEqual({ sql: 'EXPLAIN ANALYZE select 1', from: -16 })
    const text = 'explain select 1'
    expect(runTarget(text, cursor(3), 'explain')).toEqual({ sql: 'EXPLAIN select 1', from: 0 })
    expect(runTarget(text, cursor(3), 'analyse')).toEqual({ sql: 'EXPLAIN ANALYZE select 1', from: -8 })
  })

  test('is a query with the hint that has its profile kept, marked at its place; other statements are unchanged [EDITOR-43]', () => {
    const hint = '/*+ SET_VAR(is_report_success=true) */'
    const at = TEXT.indexOf('select 2')
    const run = runTarget(TEXT, cursor(at + 4), 'profile')
    expect(run).toEqual({ sql: `select ${hint} 2 from t`, from: at - hint.length - 1 })
    // A place that the service names in what was sent is that place in the tab.
    const place = (run?.sql.indexOf('from t') ?? 0) + (run?.from ?? 0)
    expect(TEXT.slice(place)).toMatch(/^from t/)
    expect(runTarget('with x as (select 1) from x', cursor(1), 'profile')?.sql).toBe(
      `with ${hint} x as (select 1) from x`,
    )
    for (const other of ['insert into t select 1', 'set a = 1', '(select 1)'])
      expect(runTarget(other, cursor(1), 'profile')).toEqual({ sql: other, from: 0 })
  })

  test('is nothing in an empty text or one without a statement', () => {
    expect(runTarget('', cursor(0), 'statement')).toBeNull()
    expect(runTarget('  \n', cursor(1), 'all')).toBeNull()
    expect(runTarget('-- nothing here', cursor(4), 'statement')).toBeNull()
  })
})
