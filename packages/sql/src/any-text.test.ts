import { expect, test } from 'vitest'
import * as sql from './index.ts'
import { randomSql } from './random-sql.ts'

const READERS = [
  sql.readUse,
  sql.readSetCatalog,
  sql.readSetWarehouse,
  sql.readSetVariable,
  sql.readCreateDatabase,
  sql.readDropDatabase,
  sql.readShow,
  sql.readDefinition,
]

/** Whether the tokens lie end to end from the start of the text to its end. */
function cover(text: string): boolean {
  let at = 0
  for (const { start, end, unterminated } of sql.tokenize(text)) {
    if (start !== at || end <= start || (unterminated && end !== text.length)) return false
    at = end
  }
  return at === text.length
}

test('tokens of any text lie end to end and cover it', () => {
  expect([...randomSql(1, 20_000)].filter((text) => !cover(text))).toEqual([])
})

function lieInOrder(text: string): boolean {
  let from = 0
  for (const statement of sql.splitStatements(text)) {
    const { start, end, line, column } = statement
    const place = sql.lineColumnAt(text, start)
    if (start < from || statement.text !== text.slice(start, end)) return false
    if (line !== place.line || column !== place.column) return false
    from = end
  }
  return true
}

test('statements of any text lie in order and know their places', () => {
  expect([...randomSql(2, 10_000)].filter((text) => !lieInOrder(text))).toEqual([])
})

test('every function answers for any text', () => {
  const kinds = new Set<string>()
  for (const text of randomSql(3, 4000)) {
    kinds.add(sql.classify(text).kind)
    for (const read of READERS) read(text)
    sql.statementAt(text, text.length >> 1)
    sql.requoteBackticks(text)
    sql.tableReferences(text)
  }
  expect(Object.keys(sql.STATEMENT_KINDS)).toEqual(expect.arrayContaining([...kinds]))
  expect(kinds.size).toBeGreaterThan(4)
})

const MEGABYTE = 2 ** 20
const fill = (piece: string, length: number) => piece.repeat(Math.ceil(length / piece.length))

/** Milliseconds of processor time: a busy machine makes no difference. */
function timeOf(work: () => void): number {
  const started = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1000
}

test.each([`'`, '(', '/*', '$a$b', `E'a' 'b' `, 'select a from b; '])(
  'a megabyte of %j is cut into tokens in less than a second',
  (piece) => {
    const text = fill(piece, MEGABYTE)
    expect(timeOf(() => sql.tokenize(text))).toBeLessThan(1000)
  },
)

test('a dollar tag of a quarter of a megabyte is looked for in one pass', () => {
  const tag = `$${'a'.repeat(MEGABYTE / 4)}$`
  const text = tag + fill(`$${'a'.repeat(999)}`, MEGABYTE / 2) + tag
  expect(timeOf(() => sql.tokenize(text))).toBeLessThan(1000)
  expect(sql.tokenize(text)).toHaveLength(1)
})

const LONG_WINDED = [
  '(;',
  '()',
  '//*',
  `E'a'\n`,
  '`',
  '1.',
  'a.',
  '\r',
  'with a as (',
  'a as (b), ',
  'from a,',
]

test.each(LONG_WINDED)('the time for all of %j grows with its length, not with the square of it', (piece) => {
  const text = fill(piece, 2 ** 16)
  const time = timeOf(() => {
    sql.splitStatements(text)
    sql.statementAt(text, text.length)
    sql.classify(`explain with a as (b), ${text}`)
    sql.tableReferences(text)
    sql.requoteBackticks(text)
    sql.readShow(`show tables from ${text}`)
  })
  expect(time).toBeLessThan(1000)
})
