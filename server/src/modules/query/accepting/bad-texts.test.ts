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
    /nest|deep|depth|stack|at most 100 KB/i,
  ],
  [
    '10,000 CASEs',
    `SELECT ${'CASE WHEN true THEN '.repeat(10_000)}1${' END'.repeat(10_000)}`,
    /nest|deep|depth|stack|at most 100 KB/i,
  ],
  ['10,000 NOTs', `SELECT ${'NOT '.repeat(10_000)}true`, /nest|deep|depth|stack/i],
  ['an unclosed text', `SELECT 'abc`, /unterminated|never closed|not closed/i],
  ['an unclosed name', `SELECT "abc`, /unterminated|never closed|not closed/i],
  ['an unclosed name in backticks', 'SELECT `abc', /backtick|never closed|not closed|unterminated/i],
  ['an unclosed comment', 'SELECT 1 /* abc', /comment/i],
  ['an unclosed text in dollars', 'SELECT $x$abc', /unterminated|never closed|not closed/i],
  ['a NUL', 'SELECT 1\0', /U\+0000/],
  ['half a character', `SELECT '\ud800'`, /invalid character/],
  ['a text that is too long', `SELECT '${'x'.repeat(MIB)}'`, /at most|too long|longest|1048576|1,048,576/i],
]

test.each([
  ['an administrator', ['db_admin']],
  ['somebody without roles', []],
] as const)(
  'bad texts of %s are answered in words and in bounded time',
  async (_, roles) => {
    const app = await startApp({}, { engine: 'embedded' })
    const channel = await (await app.user(roles)).channel()
    const wrong: unknown[] = []
    for (const [what, sql, says] of BAD) {
      const before = process.cpuUsage()
      const [answer] = await channel.run(sql)
      const { user, system } = process.cpuUsage(before)
      // Of the processor, which others of a busy machine have no part in: the engine is in this process.
      const ms = (user + system) / 1000
      const isRight = answer?.queryState === 3 && says.test(answer.errMsg) && ms < 5_000
      if (!isRight) wrong.push([what, answer?.queryState, answer?.errMsg.slice(0, 200), Math.round(ms)])
    }
    expect(wrong).toEqual([])
    expect((await channel.run(longList))[0]).toMatchObject({ errMsg: '', result: [['1']] })
    expect((await channel.run('SELECT 42'))[0]).toMatchObject({ result: [['42']] })
  },
  120_000,
)

test('a view that reads itself through another one is refused with the reason', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const channel = await (await app.admin()).channel()
  await channel.run(
    'CREATE VIEW a AS SELECT 1 AS i; CREATE VIEW b AS FROM a; CREATE OR REPLACE VIEW a AS FROM b',
  )
  const [answer] = await channel.run('SELECT * FROM a')
  expect(answer?.errMsg).toMatch(/recursi|itself|depth/i)
})

test('10 MB, a list of a million and bytes that are no text end their own channel and nothing else', async () => {
  const app = await startApp({}, { engine: 'embedded' })
  const user = await app.user()
  const other = await user.channel()
  const query = (sql: string) =>
    JSON.stringify({ cmd: 2, queryReq: { connId: 0, oriConnId: 0, channel: '', requestId: 'r', sql } })
  const million = Array.from({ length: 1_000_000 }, (_, at) => at).join(',')
  const sent: readonly (readonly [bytes: Buffer, code: number])[] = [
    [Buffer.from(query('x'.repeat(10 * MIB))), 1009],
    [Buffer.from(query(`SELECT 1 WHERE 5 IN (${million})`)), 1009],
    [Buffer.concat([Buffer.from(query('SELECT 1')), Buffer.from([0xc3, 0x28, 0xff])]), 1007],
  ]
  for (const [bytes, code] of sent) {
    const channel = await user.channel()
    channel.socket.send(bytes, { binary: false })
    expect((await channel.closed).code).toBe(code)
  }
  expect((await other.run('SELECT 42'))[0]).toMatchObject({ result: [['42']] })
})
