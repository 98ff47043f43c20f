import '../../../i18n/writing.ts'
import { describe, expect, test } from 'vitest'
import { completionPlace } from './completion-context.ts'
import { offersAt } from './completion-offers.ts'
import type { NameCache, NamedThing } from './name-cache.ts'

const TABLES: Readonly<Record<string, readonly string[]>> = {
  orders: ['id', 'customer_id', 'Order Date'],
  customers: ['customer_id', 'name'],
  select: ['odd'],
}
const named = (name: string, detail = ''): NamedThing => ({ name, detail })

const NAMES: NameCache = {
  place: () => ({ catalog: 'default_catalog', database: 'main' }),
  catalogs: async () => [named('default_catalog'), named('lake')],
  databases: async () => [named('main'), named('sample')],
  tables: async (_, database) =>
    database === 'main' ? Object.keys(TABLES).map((name) => named(name)) : [named('lineitem')],
  columns: async (_, __, table) => (TABLES[table] ?? []).map((name) => named(name, 'BIGINT')),
  found: async (word) => {
    const all = [
      { ...named('orders'), catalog: 'default_catalog', database: 'main' },
      { ...named('orders_old'), catalog: 'default_catalog', database: 'sample' },
      { ...named('all orders', ''), catalog: 'lake', database: 'raw', kind: 'view' as const },
    ]
    return all.filter(({ name }) => name.includes(word))
  },
  snippets: async () =>
    ['sel', 'select_top', 'late_orders'].map((name) => ({ snippetId: name, name, text: 'select ${a}' })),
}

/** The bar is the cursor. */
const offersIn = (text: string) =>
  offersAt(NAMES, completionPlace(text.replace('|', ''), 0, text.indexOf('|')))
const labels = async (text: string, type: string) =>
  (await offersIn(text)).filter((offer) => offer.type === type).map(({ label }) => label)
const columns = (text: string) => labels(text, 'column')

describe('columns', () => {
  test.each([
    ['of the table below', 'select | from orders', ['id', 'customer_id', 'Order Date']],
    ['of an alias', 'select o.| from orders o join customers c on true', ['id', 'customer_id', 'Order Date']],
    ['in ON', 'select * from orders o join customers c on |', ['id', 'customer_id', 'Order Date', 'name']],
    ['in USING, those of both', 'select * from orders join customers using (|)', ['customer_id']],
    ['in WHERE', 'select * from customers where |', ['customer_id', 'name']],
    ['in GROUP BY', 'select * from customers group by n|', ['name']],
    ['in ORDER BY', 'select * from customers order by |', ['customer_id', 'name']],
    ['of a CTE, by its list', 'with c as (select id as key, name n from orders) select | from c', ['key', 'n']],
    ['of a CTE, by its names', 'with c(a, b) as (select 1, 2) select c.| from c', ['a', 'b']],
    ['of a CTE that takes all', 'with c as (select * from customers) select | from c', ['customer_id', 'name']],
    ['of a CTE of a CTE', 'with a as (select id from orders), b as (from a) select | from b', ['id']],
    ['of a subquery', 'select s.| from (select o.id, max(x) as top, a + b from orders o) s', ['id', 'top']],
    ['of a subquery with names', 'select | from (select 1, 2) s(p, q)', ['p', 'q']],
    ['of the query around', 'select * from customers where exists (select 1 from orders o where na|', ['name']],
    ['of a UNION, by its first', 'select | from (select 1 as a union select 2 as b) u', ['a']],
    ['to insert', 'insert into customers (|', ['customer_id', 'name']],
    ['to set', 'update customers set |', ['customer_id', 'name']],
    ['of a table with a prefix', 'select | from default_catalog.main.customers', ['customer_id', 'name']],
    ['none of a recursive CTE beyond its list', 'with recursive r as (select 1 as n union all select n + 1 from r) select | from r', ['n']],
  ])('%s', async (_, text, expected) => expect(await columns(text)).toEqual(expected)) // prettier-ignore

  test('have their type, also through a query, and none where it is not known', async () => {
    const found = await offersIn('select | from (select id, 1 as one from orders) s')
    expect(found.slice(0, 2)).toMatchObject([
      { label: 'id', detail: 'BIGINT', type: 'column' },
      { label: 'one', detail: '', type: 'column' },
    ])
  })
})

describe('tables', () => {
  test('of other databases have their prefix, and the own ones have none', async () => {
    expect(await labels('select * from ord|', 'table')).toEqual(['orders', 'sample.orders_old'])
    expect((await offersIn('select * from ord|')).find(({ type }) => type === 'view')).toMatchObject({
      label: 'lake.raw.all orders',
      apply: 'lake.raw."all orders"',
    })
  })

  test('names that WITH gives come first', async () => {
    expect((await offersIn('with orders_2 as (select 1) select * from ord|'))[0]).toMatchObject({
      label: 'orders_2',
      type: 'cte',
    })
  })
})

describe('names are quoted once', () => {
  const applied = async (text: string, label: string) =>
    (await offersIn(text)).find((offer) => offer.label === label)?.apply

  test('where they need it', async () => {
    expect(await applied('select | from orders', 'Order Date')).toBe('"Order Date"')
    expect(await applied('select * from |', 'select')).toBe('"select"')
    expect(await applied('select | from orders', 'id')).toBe('id')
  })

  test('behind a quote that was typed', async () => {
    expect(await applied('select "Ord|" from orders', 'Order Date')).toBe('"Order Date"')
    expect(await applied('select `Ord|` from orders', 'Order Date')).toBe('`Order Date`')
  })
})

describe('keywords and functions', () => {
  test.each([
    ['|', 'select'],
    ['select a |', 'from'],
    ['select a from t |', 'where'],
    ['select a from t where b |', 'and'],
    ['select a from t order by a |', 'asc'],
    ['select a from t w|', 'where'],
    ['select a from t group by a h|', 'having'],
    ['select a from t l|', 'left join'],
  ])('the likely keyword is the first: %s', async (text, first) => {
    expect((await offersIn(text))[0]).toMatchObject({ label: first, type: 'keyword' })
  })

  test('a keyword of another place is offered behind those of this one', async () => {
    expect(await labels('select a from t wi|', 'keyword')).toContain('with')
  })

  test('a function says what it takes and gives', async () => {
    const sum = (await offersIn('select su|')).find(({ label }) => label === 'sum')
    expect(sum).toMatchObject({ detail: '(number)', apply: 'sum(', info: 'The sum of the numbers' })
  })

  test('capital letters are continued in capital letters', async () => {
    expect(await labels('SELECT a FROM t WH|', 'keyword')).toEqual(['WHERE', 'WHEN'])
  })
})

describe('snippets', () => {
  test('are offered where a word can be, and first once their name is complete', async () => {
    const labelsOf = async (text: string) => (await offersIn(text)).map(({ label }) => label)
    expect((await labelsOf('sel|'))[0]).toBe('sel')
    expect((await labelsOf('sele|')).at(-1)).toBe('select_top')
    expect(await labels('SEL|', 'snippet')).toEqual(['sel', 'select_top'])
    expect(await labels('select * from late|', 'snippet')).toEqual(['late_orders'])
    for (const text of ['select o.sel| from orders o', 'select "sel|'])
      expect(await labels(text, 'snippet')).toEqual([])
  })
})
