import { expect, test } from 'vitest'
import { openProgram } from '../../../testing/client-kit.ts'
import { sharedApp } from '../../../testing/start-app.ts'
import type { ParameterValue } from '../sessions/parameters.ts'

const shared = sharedApp({}, { engine: 'embedded' })

const opened = async () => {
  const app = await shared()
  const connection = await openProgram(app, await app.admin())
  return async (sql: string, ...parameters: readonly ParameterValue[]) =>
    (await connection.run(sql, { parameters })).at(-1)!
}

const number = (text: string): ParameterValue => ({ type: 'number', text })
const text = (value: string): ParameterValue => ({ type: 'text', text: value })

test.each([
  [number('1; DROP TABLE t'), 'is not a number'],
  [number(''), 'is not a number'],
  [number('0x41'), 'is not a number'],
  [{ type: 'double', text: '1e0) OR (1' } as const, 'is not a number'],
  [{ type: 'double', text: 'Infinity' } as const, 'is not a number'],
  [{ type: 'date', text: `2026-11-17' AS DATE) OR 1=1 --` } as const, 'is not a date'],
  [{ type: 'time', text: `1:00' AS TIME); --` } as const, 'is not a time'],
  [{ type: 'timestamp', text: '0000-00-00 00:00:00' } as const, 'timestamp field'],
])('%j is refused: %s', async (value, words) => {
  const run = await opened()
  const answer = await run('SELECT ? AS a', value)
  expect(answer).toMatchObject({ state: 'failed', message: expect.stringContaining(words) })
})

test.each([
  [null, 'typeof(a) = typeof(NULL)', null],
  [number('-9223372036854775808'), `typeof(a) = 'BIGINT'`, '-9223372036854775808'],
  [number('18446744073709551615'), 'a = 18446744073709551615', '18446744073709551615'],
  [number('-12345678901234567890.123456'), `typeof(a) LIKE 'DECIMAL%'`, '-12345678901234567890.123456'],
  [{ type: 'double', text: '0.1' } as const, `typeof(a) = 'DOUBLE'`, '0.1'],
  [{ type: 'double', text: '-1.5e+300' } as const, `typeof(a) = 'DOUBLE'`, '-1.5e+300'],
  [text(''), `typeof(a) = 'VARCHAR'`, ''],
  [text('z\u{1F6A3}é'), `typeof(a) = 'VARCHAR'`, 'z\u{1F6A3}é'],
  [{ type: 'bytes', bytes: Uint8Array.of(0, 39, 92, 255) } as const, `hex(a) = '00275CFF'`, undefined],
  [{ type: 'bytes', bytes: new Uint8Array() } as const, 'octet_length(a) = 0', undefined],
  [{ type: 'date', text: '2026-02-28' } as const, `typeof(a) = 'DATE'`, '2026-02-28'],
  [{ type: 'time', text: '23:59:59.123456' } as const, `typeof(a) = 'TIME'`, '23:59:59.123456'],
  [{ type: 'time', text: '-838:59:59' } as const, `typeof(a) = 'INTERVAL'`, '-838:59:59'],
  [{ type: 'time', text: '25:00:00' } as const, `typeof(a) = 'INTERVAL'`, '25:00:00'],
  [
    { type: 'timestamp', text: '2026-11-17 15:04:05.5' } as const,
    `typeof(a) = 'TIMESTAMP'`,
    '2026-11-17 15:04:05.5',
  ],
] as const)('%j arrives with its type and value', async (value, condition, shown) => {
  const run = await opened()
  const answer = await run(`SELECT a, ${condition} FROM (SELECT ? AS a) t`, value)
  expect(answer.message).toBe('')
  expect(answer.result?.rows[0]?.[1]).toBe('true')
  if (shown !== undefined) expect(answer.result?.rows[0]?.[0]).toBe(shown)
})

test('a parameter stands wherever a value may', async () => {
  const run = await opened()
  const rows = async (sql: string, ...values: ParameterValue[]) => {
    const answer = await run(sql, ...values)
    expect([sql, answer.message]).toEqual([sql, ''])
    return answer.result?.rows
  }
  await run('CREATE TABLE boats (n INT, name VARCHAR)')
  expect(await rows('SELECT range FROM range(9) ORDER BY 1 LIMIT ?', number('2'))).toEqual([['0'], ['1']])
  expect(
    await rows('SELECT range FROM range(9) ORDER BY 1 LIMIT ? OFFSET ?', text('1'), number('3')),
  ).toEqual([['3']])
  expect(await rows('SELECT range FROM range(9) ORDER BY 1 LIMIT ?, ?', number('4'), number('1'))).toEqual([
    ['4'],
  ])
  const day = { type: 'date', text: '2026-11-17' } as const
  for (const amount of [number('3'), number('-3'), text('3')])
    expect((await rows('SELECT CAST(? + INTERVAL ? DAY AS DATE)', day, amount))?.[0]?.[0]).toMatch(
      /^2026-11-(?:14|20)$/,
    )
  expect(await rows('SELECT 2 IN (?, ?), 3 NOT IN (?)', number('1'), number('2'), number('3'))).toEqual([
    ['true', 'false'],
  ])
  expect(await rows('SELECT ? BETWEEN ? AND ?', number('2'), number('-1'), number('3'))).toEqual([['true']])
  expect(await rows(`SELECT 'abc' LIKE ?, concat(?, 'x'), -?`, text('a%'), text('y'), number('-4'))).toEqual([
    ['true', 'yx', '4'],
  ])
  expect(
    await rows('SELECT CASE WHEN ? THEN ? ELSE ? END', { type: 'boolean', value: true }, null, text('b')),
  ).toEqual([[null]])
  await rows('INSERT INTO boats VALUES (?, ?), (?, ?)', number('1'), text('a'), number('2'), null)
  expect(
    await rows('UPDATE boats SET name = ? WHERE n = ? OR name = ?', text('c'), number('2'), text('a')),
  ).toEqual([])
  expect(await rows('SELECT count(*) FROM boats WHERE name = ?', text('c'))).toEqual([['2']])
  expect(await rows('DELETE FROM boats WHERE n = ?', number('1'))).toEqual([])
})

/** The same for every run. */
function randomTexts(count: number, seed: number): string[] {
  let state = seed
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % below
  }
  const parts = [
    `'`,
    `"`,
    '`',
    '\\',
    '\0',
    '\n',
    '\r',
    '\x1a',
    ';',
    '--',
    '/*',
    '*/',
    '#',
    '?',
    '$1',
    ':a',
    '@x',
    '%',
    '_',
    '\uD800',
    '\uDC00',
    '\u{1F6A3}',
    'é',
    ' OR 1=1 ',
    '$$',
    `E'`,
    "\\'",
    '\\\\',
    `''`,
    '(',
    ')',
    'a',
    '\u2028',
    '\xbf',
  ]
  return Array.from({ length: count }, () =>
    Array.from({ length: next(12) }, () => parts[next(parts.length)] ?? '').join(''),
  )
}

test.each(['', 'ANSI_QUOTES', 'NO_BACKSLASH_ESCAPES', 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES', 'DEFAULT'])(
  'no text can end its literal under sql_mode %j',
  async (mode) => {
    const run = await opened()
    expect((await run(`SET sql_mode = ${mode === 'DEFAULT' ? mode : `'${mode}'`}`)).message).toBe('')
    const texts = randomTexts(400, 7 + mode.length)
    const sql = `SELECT ${texts.map((_, at) => `? AS c${at}`).join(', ')}`
    const answer = await run(sql, ...texts.map(text))
    expect(answer.message).toBe('')
    const [row = []] = answer.result?.rows ?? []
    for (const [at, one] of texts.entries()) expect(row[at]).toBe(Buffer.from(one).toString())
    // Beside texts that are written by hand.
    const mixed = await run(`SELECT 'a' AS a, ? AS b, 'c' AS c`, text(`\\' OR '1'='1`))
    expect(mixed.result?.rows).toEqual([['a', `\\' OR '1'='1`, 'c']])
  },
)

test('a text of many megabytes is a value as any other', async () => {
  const run = await opened()
  const long = `it's \\ "x" é`.repeat(1_000_000)
  const answer = await run(
    'SELECT char_length(?) AS a, md5(?) = md5(?) AS b',
    text(long),
    text(long),
    text(long),
  )
  expect(answer.message).toBe('')
  expect(answer.result?.rows).toEqual([[String(long.length), 'true']])
})

test('a text is never the name of a table', async () => {
  const run = await opened()
  await run('CREATE TABLE named_by_text AS SELECT 7 AS n')
  for (const sql of ['SELECT * FROM ?', 'SELECT * FROM named_by_text JOIN ? ON true'])
    expect(await run(sql, text('named_by_text'))).toMatchObject({ state: 'failed' })
  const year = await run(`SELECT extract(year FROM CAST(? AS DATE)) AS y`, text('2026-11-18'))
  expect(year.result?.rows).toEqual([['2026']])
  const trimmed = await run(`SELECT trim(BOTH 'x' FROM ?) AS t`, text('xquayx'))
  expect(trimmed.result?.rows).toEqual([['quay']])
})
