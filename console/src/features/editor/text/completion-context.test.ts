import { describe, expect, test } from 'vitest'
import { completionPlace } from './completion-context.ts'

/** The bar is the cursor. */
const at = (text: string) => completionPlace(text.replace('|', ''), 0, text.indexOf('|'))

describe('completions for the place of the cursor', () => {
  test.each([
    ['select * from |', ''],
    ['select * from ord|', 'ord'],
    ['select * from a join ord|', 'ord'],
    ['insert into |', ''],
    ['select * from a, ord|', 'ord'],
    ['select * from (select 1) x, ord|', 'ord'],
  ])('tables after FROM, JOIN and INTO: %s', (text, word) => {
    expect(at(text)).toMatchObject({ wants: 'table', word, path: [] })
  })

  test.each(['select |', 'select a from t where |', 'select a, b|', 'select a from t join u on |'])(
    'anything elsewhere: %s',
    (text) => expect(at(text).wants).toBe('anything'),
  )

  test.each(["select 'fro|", 'select 1 -- from |', 'select /* from | */ 1', 'select 12|'])(
    'nothing in texts, comments and numbers: %s',
    (text) => expect(at(text).wants).toBe('nothing'),
  )

  test('the names before the word', () => {
    expect(at('select * from sample.ord|')).toMatchObject({
      wants: 'table',
      path: ['sample'],
      word: 'ord',
      from: 21,
    })
    expect(at('select o.| from orders o')).toMatchObject({ path: ['o'], word: '' })
    expect(at('select * from "My cat"."db".|').path).toEqual(['My cat', 'db'])
  })

  test('pain 22: tables that are named, with their aliases, also behind the cursor', () => {
    const { tables } = at('select | from sample.orders o join lineitem as l on true left join part using (x)')
    expect(tables).toEqual([
      { path: ['sample', 'orders'], alias: 'o' },
      { path: ['lineitem'], alias: 'l' },
      { path: ['part'], alias: 'part' },
    ])
  })

  test('names that WITH gives', () => {
    expect(at('with monthly as (select 1), yearly(y) as (select 2) select * from |').ctes).toEqual([
      'monthly',
      'yearly',
    ])
  })
})
