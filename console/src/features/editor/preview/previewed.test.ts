import { LIMITS } from '@boathouse/contract/limits'
import { expect, test } from 'vitest'
import { previewedAt } from './previewed.ts'

/** The text with its cursor, which is written as |. */
const at = (text: string) => previewedAt(text.replace('|', ''), text.indexOf('|'))

test('the statement at the cursor is previewed', () => {
  expect(at('select 1;\nselect |2')).toEqual({ kind: 'rows', sql: 'select 2', cte: null })
  expect(at('from trips select 1|')).toEqual({ kind: 'rows', sql: 'from trips select 1', cte: null })
})

test('inside of a query of WITH, that query is, with those before it', () => {
  const text = 'with a as (select 1 as n), "B c" (m) as (select n from a|) select * from "B c"'
  expect(at(text)).toEqual({
    kind: 'rows',
    sql: 'with a as (select 1 as n), "B c" (m) as (select n from a)\nSELECT * FROM "B c"',
    cte: 'B c',
  })
  expect(at('with a as (select| 1 as n) select 2')).toMatchObject({
    cte: 'a',
    sql: 'with a as (select 1 as n)\nSELECT * FROM "a"',
  })
  expect(at('with a as (select 1 as n) select| 2')).toMatchObject({ cte: null })
  expect(at('with a as (select 1, (select |2)) select 3')).toMatchObject({ cte: 'a' })
})

test.each([
  'insert into t values (1|)',
  'drop table| t',
  'set x = |1',
  'with a as (select |1) insert into t from a',
])('%s is never run for a preview', (text) => expect(at(text)).toEqual({ kind: 'changes' }))

test('of nothing, and of what is too long, there is no preview', () => {
  expect(at('|')).toEqual({ kind: 'nothing' })
  expect(at('  -- nothing yet|')).toEqual({ kind: 'nothing' })
  expect(at('with a as (select |1 select 2')).toEqual({ kind: 'nothing' })
  expect(at(`select '${'x'.repeat(LIMITS.queryPreviewLength)}'|`)).toEqual({ kind: 'long' })
})
