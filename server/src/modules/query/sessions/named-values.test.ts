import { type BoundValues, CODES, editor, query, result } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { sharedApp } from '../../../testing/start-app.ts'

const shared = sharedApp({}, { engine: 'embedded' })

const text = (value: string) => ({ type: 'text', value }) as const
const number = (value: string) => ({ type: 'number', value }) as const

async function opened() {
  const app = await shared()
  const admin = await app.admin()
  const channel = await admin.channel()
  let connId = 0
  const run = async (sql: string, values?: BoundValues) => {
    const answer = (await channel.run(sql, { connId, ...(values && { values }) })).at(-1)!
    if (answer.connId > 0) connId = answer.connId
    return answer
  }
  return { app, admin, channel, run }
}

test.each([
  ['SELECT :a, :b', { a: text('x') }, 'no value for the parameters :b'],
  ['SELECT 1', { a: text('x') }, 'no parameters :a'],
  ['SELECT :a', { b: text('x') }, 'no value for the parameters :a'],
  ["SELECT ':a'", { a: text('x') }, 'no parameters :a'],
  ['USE :a', { a: text('x') }, 'takes no parameters'],
  ['SET query_timeout = :a', { a: number('5') }, 'takes no parameters'],
  ['CREATE ROLE :a', { a: text('x') }, 'takes no parameters'],
  ['GRANT :a TO ada', { a: text('account_admin') }, 'takes no parameters'],
  ['SELECT 1; SELECT :a', {}, 'no value for the parameters :a'],
] as const)('%s with %j is refused as a whole: %s', async (sql, values, words) => {
  const { run } = await opened()
  const answer = await run(sql, values)
  expect(answer).toMatchObject({ errCode: CODES.BadInput.code, queryId: '' })
  expect(answer.errMsg).toContain(words)
})

test.each([
  [number('1; DROP TABLE t'), 'is not a number'],
  [number("1' OR '1'='1"), 'is not a number'],
  [number('0x10'), 'is not a number'],
  [{ type: 'date', value: "2026-01-01' AS DATE) --" } as const, 'is not a date'],
  [{ type: 'timestamp', value: "x'); DROP TABLE t; --" } as const, 'is not a timestamp'],
  [{ type: 'boolean', value: 'true OR true' } as const, 'is not true or false'],
])('%j is not of its type', async (value, words) => {
  const { run } = await opened()
  const answer = await run('SELECT :a', { a: value })
  expect(answer.errMsg).toContain(words)
})

const ATTACKS = [
  `'`,
  `''`,
  `'; DROP TABLE kept; --`,
  `'); drop table kept; --`,
  `\\'; DROP TABLE kept; --`,
  `\\`,
  `x\\`,
  `" OR 1=1`,
  '`kept`',
  'kept',
  '*/ DROP TABLE kept /*',
  '$$; DROP TABLE kept; $$',
  `E'\\''`,
  ':b',
  '{{b}}',
  '?',
  '$1',
  '\n-- x\n',
  '',
  'NULL',
  '𝕏 é',
]

test('a text is a value, whatever it holds, in whichever quotes the session reads', async () => {
  const { run } = await opened()
  await run('CREATE OR REPLACE TABLE kept AS SELECT 1 AS n')
  for (const mode of ["''", "'ANSI_QUOTES'", "'NO_BACKSLASH_ESCAPES'", 'DEFAULT']) {
    await run(`SET sql_mode = ${mode}`)
    for (const attack of ATTACKS) {
      const answer = await run('SELECT :a AS a, {{b}} AS b, n FROM kept WHERE :a IN (:several) -- :a', {
        a: text(attack),
        b: text(`${attack}b`),
        several: { type: 'text', values: ['other', attack] },
      })
      expect([mode, attack, answer.errMsg]).toEqual([mode, attack, ''])
      expect(answer.result).toEqual([[attack, `${attack}b`, '1']])
    }
  }
})

test('a value names nothing: neither a table nor a column', async () => {
  const { run } = await opened()
  await run('CREATE OR REPLACE TABLE kept AS SELECT 1 AS n')
  expect((await run('SELECT * FROM :a', { a: text('kept') })).errCode).not.toBe(CODES.Ok.code)
  expect((await run('DROP TABLE :a', { a: text('kept') })).errCode).not.toBe(CODES.Ok.code)
  expect((await run('SELECT :a FROM kept', { a: text('n') })).result).toEqual([['n']])
  expect((await run('SELECT count(*) FROM kept')).result).toEqual([['1']])
})

test('values have their types, and stand in every statement of a text', async () => {
  const { run, channel } = await opened()
  const day = (value: string) => ({ type: 'date', value }) as const
  const typed = await run(
    'SELECT typeof(:t), typeof(:n), typeof(:d), typeof(:b), :x IS NULL, {{p.to}} - :p.from, :d::VARCHAR',
    {
      t: text('1'),
      n: number('-1.50'),
      d: day('2026-11-18'),
      b: { type: 'boolean', value: 'TRUE' },
      x: null,
      'p.from': day('2026-01-01'),
      'p.to': day('2026-01-31'),
    },
  )
  expect(typed.result).toEqual([['VARCHAR', 'DECIMAL(3,2)', 'DATE', 'BOOLEAN', 'true', '30', '2026-11-18']])
  const ends = await channel.run(
    'CREATE OR REPLACE TABLE boats AS SELECT range AS n FROM range(:count); DELETE FROM boats WHERE n NOT IN (:ids); SELECT list(n ORDER BY n) FROM boats',
    { values: { count: number('10'), ids: { type: 'number', values: ['2', '3'] } } },
  )
  expect(ends.at(-1)?.result).toEqual([['[2, 3]']])
  expect((await run('EXPLAIN SELECT * FROM boats WHERE n = :n', { n: number('2') })).errMsg).toBe('')
})

test('an error is marked in the text that was sent', async () => {
  const { run } = await opened()
  const sql = 'SELECT :a, :b, missing_column'
  const answer = await run(sql, { a: text('a long value of many letters'), b: number('1') })
  expect(answer.errPosition?.offset).toBe(sql.indexOf('missing_column'))
})

test('several values stand behind IN alone', async () => {
  const { run } = await opened()
  const answer = await run('SELECT :ids', { ids: { type: 'number', values: ['1', '2'] } })
  expect(answer.errMsg).toContain('Use them behind IN')
})

test('what is no message of the contract is refused', async () => {
  const { run } = await opened()
  const bad: unknown[] = [
    { 'a b': text('x') },
    { a: text('\0') },
    { a: text('\ud800') },
    { a: text('x'.repeat(4097)) },
    { a: { type: 'identifier', value: 'x' } },
    { a: { type: 'text', values: [] } },
    { a: { type: 'number', values: Array.from({ length: 1001 }, () => '1') } },
    { a: 1 },
  ]
  for (const values of bad)
    expect((await run('SELECT :a', values as BoundValues)).errCode).toBe(CODES.BadInput.code)
})

test('the history has the values; what runs again has them too, and the same id is another request with others', async () => {
  const { admin, channel, run } = await opened()
  const values = { region: text(`O'Hara`), n: number('3') }
  const sql = 'SELECT range AS n, :region AS region FROM range(5000) WHERE range >= :n'
  const { queryId } = await run(sql, values)
  const { data: detail } = await admin.call(query.detail, { queryId })
  expect(detail.entry).toMatchObject({ sql, values })
  const { data: listed } = await admin.call(query.history, { text: 'AS region FROM range(5000)' })
  expect(listed.entries[0]?.values).toEqual(values)
  expect((await admin.call(query.history, { text: queryId })).data.entries).toHaveLength(1)

  await admin.call(query.runInFull, { queryId, requestId: 'all-with-values' })
  const state = async () => (await admin.call(query.fullRunState, { requestId: 'all-with-values' })).data
  await expect.poll(async () => (await state()).state).toBe('finished')
  expect((await state()).rows).toBe(4997)

  expect((await admin.call(result.share, { queryId })).code).toBe(CODES.Ok.code)
  expect((await admin.call(result.facts, { queryId })).data).toMatchObject({ sql, values })

  const again = { requestId: 'once-with-values' }
  const first = (await channel.run('SELECT :a', { ...again, values: { a: text('x') } })).at(-1)
  const same = (await channel.run('SELECT :a', { ...again, values: { a: text('x') } })).at(-1)
  expect(same?.queryId).toBe(first?.queryId)
  const other = (await channel.run('SELECT :a', { ...again, values: { a: text('y') } })).at(-1)
  expect(other?.errCode).toBe(CODES.Conflict.code)
})

test('privileges are those of the statement with its values', async () => {
  const { app, run } = await opened()
  await run('CREATE OR REPLACE TABLE kept AS SELECT 1 AS n')
  const reader = await app.user([])
  const channel = await reader.channel()
  const refused = (await channel.run('SELECT * FROM kept WHERE n = :n', { values: { n: number('1') } })).at(
    -1,
  )
  expect(refused?.errCode).toBe(CODES.NoPermission.code)
})

test('a saved query keeps its parameters, of its own user alone', async () => {
  const { app, admin } = await opened()
  const region = {
    name: 'region',
    kind: 'choice',
    of: 'text',
    options: ['EU', 'US'],
    optionsSql: '',
    value: ['EU'],
  } as const
  const made = await admin.call(editor.createTab, {
    tabName: 'with parameters',
    sql: 'SELECT :region',
    parameters: [{ ...region, options: [...region.options], value: [...region.value] }],
  })
  expect(made.data.parameters).toEqual([region])
  const { tabId } = made.data
  const next = { ...region, options: ['EU'], value: ['US'] }
  expect((await admin.call(editor.updateTabParameters, { tabId, parameters: [next] })).code).toBe(
    CODES.Ok.code,
  )
  expect((await admin.call(editor.tabDetail, { tabId })).data.parameters).toEqual([next])
  const other = await app.user([])
  const foreign = await other.call(editor.updateTabParameters, { tabId, parameters: [] })
  expect(foreign.code).toBe(CODES.NotFound.code)
  const long = { ...next, value: ['x'.repeat(4096), 'y'.repeat(4096)] }
  const bad = await admin.call(editor.updateTabParameters, { tabId, parameters: [long] })
  expect(bad.code).toBe(CODES.BadInput.code)
})
