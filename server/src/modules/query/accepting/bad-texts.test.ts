import { expect, test } from 'vitest'
import { startApp } from '../../../testing/start-app.ts'

const MIB = 1024 * 1024
const deep = (open: string, close: string, inside = '1') =>
  `SELECT ${open.repeat(10_000)}${inside}${close.repeat(10_000)}`

/** As long as a text may be. */
const longList = `SELECT 1 WHERE 5 IN (${Array.from({ length: 140_000 }, (_, at) => at).join(',')})`

const BAD: readonly (readonly [what: string, sql: string, says: RegExp])[] = [
  ['10,000 parentheses', deep('(', ')'), /nest|deep|depth|recursion|stack/i],
  ['10,000 brackets', deep('[', ']'), /nest|deep|depth|recursion|stack|limit/i],
  ['10,000 parentheses that are never closed', deep('(', ''), /nested too deeply|syntax error/i],
  [
    '10,000 subqueries',
    `SELECT * FROM ${'(SELECT * FROM '.repeat(10_000)}t${')'.repeat(10_000)}`,
    /nest|deep|depth|stack/i,
  ],
  [
    '10,000 CASEs',
    `SELECT ${'CASE WHEN true THEN '.repeat(10_000)}1${' END'.repeat(10_000)}`,
    /nest|deep|depth|stack/i,
  ],
  ['10,000 NOTs', `SELECT ${'NOT '.repeat(10_000)}true`, /nest|deep|depth|stack/i],
  ['an unclosed text', `SELECT 'abc`, /unterminated|never closed|not closed/i],
  ['an unclosed name', `SELECT "abc`, /unterminated|never closed|not closed/i],
  ['an unclosed name in backticks', 'SELECT `abc', /backtick|never closed|not closed|unterminated/i],
  ['an unclosed comment', 'SELECT 1 /* abc', /comment/i],
  ['an unclosed text in dollars', 'SELECT $x$abc', /unterminated|never closed|not closed/i],
  ['a NUL', 'SELECT 1\0', /U\+0000/],
  ['half a character', `SELECT '\ud800'`, /surrogate|not text|U\+FFFD|/],
  ['a text that is too long', `SELECT '${'x'.repeat(MIB)}'`, /at most|too long|longest|1048576|1,048,576/i],
]

test('bad texts are answered in words and in bounded time, and the engine lives on', async () => {
  const app = await startApp({}, { engine: 'duckdb' })
  const channel = await (await app.admin()).channel()
  const told: unknown[] = []
  for (const [what, sql, says] of BAD) {
    const before = performance.now()
    const [answer] = await channel.run(sql)
    const ms = performance.now() - before
    const isRight = answer?.queryState === 3 && says.test(answer.errMsg) && ms < 5_000
    if (!isRight) told.push([what, answer?.queryState, answer?.errMsg.slice(0, 200), Math.round(ms)])
  }
  expect(told).toEqual([])
  expect((await channel.run(longList))[0]).toMatchObject({ errMsg: '', result: [['1']] })
  expect((await channel.run('SELECT 42'))[0]).toMatchObject({ result: [['42']] })
})

test('a view that reads itself by way of another is told so', async () => {
  const app = await startApp({}, { engine: 'duckdb' })
  const channel = await (await app.admin()).channel()
  await channel.run(
    'CREATE VIEW a AS SELECT 1 AS i; CREATE VIEW b AS FROM a; CREATE OR REPLACE VIEW a AS FROM b',
  )
  const [answer] = await channel.run('SELECT * FROM a')
  expect(answer?.errMsg).toMatch(/recursi|itself|depth/i)
})
