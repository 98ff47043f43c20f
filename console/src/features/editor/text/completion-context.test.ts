import { describe, expect, test } from 'vitest'
import { completionPlace } from './completion-context.ts'

/** The bar is the cursor. */
const at = (text: string) => completionPlace(text.replace('|', ''), 0, text.indexOf('|'))
/** The names of what can be read from, the innermost level first. */
const aliases = (text: string) => at(text).scopes.map(({ sources }) => sources.map(({ alias }) => alias))

describe('completions for the place of the cursor', () => {
  test.each([
    ['select * from |', ''],
    ['select * from ord|', 'ord'],
    ['select * from a join ord|', 'ord'],
    ['insert into |', ''],
    ['select * from a, ord|', 'ord'],
    ['select * from (select 1) x, ord|', 'ord'],
    ['select (select 1 from ord|', 'ord'],
  ])('tables after FROM, JOIN and INTO: %s', (text, word) => {
    expect(at(text)).toMatchObject({ wants: 'table', word, path: [] })
  })

  test.each([
    'select |',
    'select a from t where |',
    'select a, b|',
    'select a from t join u on |',
    'select a from t order by a desc |',
    'select a from t order by a desc, |',
  ])('anything elsewhere: %s', (text) => expect(at(text).wants).toBe('anything'))

  test.each(["select 'fro|", 'select 1 -- from |', 'select /* from | */ 1', 'select 12|', 'select $$a|'])(
    'nothing in texts, comments and numbers: %s',
    (text) => expect(at(text).wants).toBe('nothing'),
  )

  test('a column of both tables behind USING', () => {
    expect(at('select * from a join b using (|').wants).toBe('common')
    expect(at('select * from a join b using (x, |)').wants).toBe('common')
  })

  test.each([
    ['select | from t', 'select', true],
    ['select a | from t', 'select', false],
    ['select a from t |', 'from', false],
    ['select a from t join u on |', 'on', true],
    ['select a from t where a > |', 'where', true],
    ['select a from t where a |', 'where', false],
    ['select a from t group by |', 'group', true],
    ['select a from t order by a, |', 'order', true],
    ['update t set |', 'set', true],
    ['|', 'start', false],
  ])('the clause, and whether a value can begin: %s', (text, clause, beginsValue) => {
    expect(at(text)).toMatchObject({ clause, beginsValue })
  })

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

  test('a word behind a quote, with the quote that closes it', () => {
    expect(at('select "My c|" from t')).toMatchObject({ from: 7, to: 13, word: 'My c', quote: '"' })
    expect(at('select t.`My c|')).toMatchObject({ from: 9, to: 14, word: 'My c', quote: '`', path: ['t'] })
  })

  test('pain 22: tables that are named, with their aliases, also behind the cursor', () => {
    const { scopes } = at('select | from sample.orders o join lineitem as l on true left join part using (x)')
    expect(scopes[0]?.sources).toMatchObject([
      { path: ['sample', 'orders'], alias: 'o' },
      { path: ['lineitem'], alias: 'l' },
      { path: ['part'], alias: 'part' },
    ])
  })

  test.each([
    ['select | from (select a from t) s, u x', [['s', 'x']]],
    ['select * from t where a in (select | from u)', [['u'], ['t']]],
    ['select a from t union all select | from u', [['u']]],
    ['with c as (select | from t) select * from c', [['t'], ['c']]],
    ['select | from (a join b using (x)) where y', [['a', 'b']]],
    ['select | from range(10) r, unnest(x)', [['r']]],
    ['update orders set |', [['orders']]],
    ['insert into orders (|', [[], ['orders']]],
    ['select * from orders wh|', [['orders']]],
    ['delete from orders where |', [['orders']]],
  ])('what the query around the cursor reads from: %s', (text, expected) => {
    expect(aliases(text)).toEqual(expected)
  })

  test('names that WITH gives, and in its own query only a recursive one', () => {
    const ctes = (text: string) => at(text).scopes.flatMap((scope) => scope.ctes.map(({ name }) => name))
    expect(ctes('with monthly as (select 1), yearly(y) as (select 2) select * from |')).toEqual([
      'monthly',
      'yearly',
    ])
    expect(ctes('with a as (select 1), b as (select * from |) select 1')).toEqual(['a'])
    expect(ctes('with recursive a as (select 1 union all select | from a) select 1')).toEqual(['a'])
  })
})
