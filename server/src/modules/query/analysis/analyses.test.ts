import { expect, onTestFinished, test } from 'vitest'
import { analysisForTests } from '../../../testing/start-app.ts'
import { analyseText } from './analysed-text.ts'
import type { NameRules } from '../../../engines/engine/name-rules.ts'
import { createAnalyses } from './analyses.ts'

const NAMES: NameRules = {
  refusedCalls: new Map([['peek', 'it looks outside']]),
  refusedNames: [[/^hidden_.*$/i, 'it is hidden']],
  drawingCalls: new Set(['draw']),
}

const MEGABYTE = 2 ** 20

function setUp(workerPath: () => Promise<string> = analysisForTests) {
  const analyses = createAnalyses({ workerPath, names: NAMES })
  onTestFinished(() => analyses.close())
  return analyses
}

const of = (userId: string, accountId = 'AAA00001') => ({ accountId, userId })
const large = (statement: string): string => `${statement} -- ${'x'.repeat(20_000)}`

test('a large text is analysed to the same as a small one', async () => {
  const text = `select "a", draw('s') from \`Peek\`('x'); select 1 from Hidden_Place; explain analyze ${'('.repeat(20_000)}; use b`
  const analysed = await setUp().analyse(of('rower'), text)
  expect(analysed).toEqual(analyseText(text, NAMES))
  expect(analysed.statements.map(({ refusedName, draws }) => [refusedName?.name, draws])).toEqual([
    ['Peek', true],
    ['Hidden_Place', false],
    [undefined, false],
    [undefined, false],
  ])
})

test('a text that was analysed is so once, for each way to read its quotes', async () => {
  const { analyse } = setUp()
  const text = `select "a" -- ${'x'.repeat(100)}`
  const known = await analyse(of('rower'), text)
  expect(await analyse(of('other', 'AAA00002'), text)).toBe(known)
  const quotes = { escapes: true, doubleIsText: true, comments: 'mysql' } as const
  expect(await analyse(of('rower'), text, quotes)).toEqual(analyseText(text, NAMES, quotes))
  expect(await analyse(of('rower'), text)).toBe(known)
})

test.each([
  ['sums', `select ${'1+'.repeat(MEGABYTE / 2)}`],
  ['dots', `select ${'a.'.repeat(MEGABYTE / 2)}`],
  ['rows of values', `insert into t values ${"(1, 'abc', 2.5), ".repeat(MEGABYTE / 17)}`],
  ['nested parentheses', `select ${'('.repeat(MEGABYTE / 2)}${')'.repeat(MEGABYTE / 2)}`],
  ['semicolons', ';'.repeat(MEGABYTE)],
  ['quotes', "'".repeat(MEGABYTE)],
  ['comments', '/**/'.repeat(MEGABYTE / 4)],
  ['different calls', Array.from({ length: MEGABYTE / 8 }, (_, at) => `f${at}()`).join('+')],
  ['backticks', '`a` '.repeat(MEGABYTE / 4)],
])('a megabyte of %s takes a fraction of a second', async (_, text) => {
  const analyses = setUp()
  await analyses.analyse(of('rower'), large('select 1'))
  const times: number[] = []
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage()
    await analyses.analyse(of('rower'), text)
    const { user, system } = process.cpuUsage(before)
    times.push((user + system) / 1000)
  }
  // Of the processor, and the least of them: others work on this machine too.
  expect(Math.min(...times)).toBeLessThan(1500)
})

test('users take turns, whatever one of them has waiting', async () => {
  const analyses = setUp()
  const order: string[] = []
  const send = async (user: string) => {
    await analyses.analyse(of(user), large('select 1'))
    order.push(user)
  }
  await Promise.all([send('one'), send('one'), send('one'), send('other')])
  expect(order).toEqual(['one', 'one', 'other', 'one'])
})

test('accounts take turns, however many users of one of them send something', async () => {
  const analyses = setUp()
  const order: string[] = []
  const send = async (user: string, account: string) => {
    await analyses.analyse(of(user, account), large('select 1'))
    order.push(user)
  }
  const crowd = ['a', 'b', 'c', 'd'].map((user) => send(user, 'AAA00001'))
  await Promise.all([...crowd, send('other', 'BBB00002')])
  expect(order.indexOf('other')).toBeLessThanOrEqual(2)
})

test('a large text of a user with too many waiting is refused with the reason; small ones and those of others are analyzed', async () => {
  const analyses = setUp()
  const sent = Array.from({ length: 17 }, () => analyses.analyse(of('rower'), large('select 1')))
  await expect(analyses.analyse(of('rower'), large('select 1'))).rejects.toMatchObject({
    code: 'LimitReached',
    message: expect.stringContaining('16 texts of yours'),
  })
  expect((await analyses.analyse(of('rower'), 'select 1')).count).toBe(1)
  expect((await analyses.analyse(of('other'), large('select 1'))).count).toBe(1)
  expect(await Promise.all(sent)).toHaveLength(17)
  expect((await analyses.analyse(of('rower'), large('select 1'))).count).toBe(1)
})

test('a thread that fails costs its text, and the next one gets another thread', async () => {
  let isBroken = true
  const analyses = setUp(async () => (isBroken ? '/no/such/file.js' : analysisForTests()))
  await expect(analyses.analyse(of('rower'), large('select 1'))).rejects.toThrow(/no\/such\/file/)
  isBroken = false
  expect((await analyses.analyse(of('rower'), large('select 1'))).count).toBe(1)
})
