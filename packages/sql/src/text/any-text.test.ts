import { expect, test } from 'vitest'
import * as sql from '../index.ts'
import { listedTokens } from './listed-tokens.ts'
import { randomSql } from './random-sql.ts'

const READERS = [
  sql.readUse,
  sql.readKill,
  sql.readSetCatalog,
  sql.readSetWarehouse,
  sql.readSet,
  sql.readShowWarnings,
  sql.readCreateDatabase,
  sql.readDropDatabase,
  sql.readShow,
  sql.readDefinition,
]

/** Whether the tokens lie end to end from the start of the text to its end. */
function cover(text: string): boolean {
  let at = 0
  for (const { start, end, unterminated } of listedTokens(text)) {
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
  for (const statement of sql.analyse(text).statements) {
    const { start, end } = statement
    if (start < from || statement.text !== text.slice(start, end)) return false
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
    const statement = sql.readStatement(text)
    kinds.add(statement.kind)
    for (const read of READERS) read(statement)
    sql.statementAt(text, text.length >> 1)
    sql.findMention(statement, () => false)
  }
  expect(Object.keys(sql.STATEMENT_KINDS)).toEqual(expect.arrayContaining([...kinds]))
  expect(kinds.size).toBeGreaterThan(4)
})

test('a statement of any text is the same in its text and alone', () => {
  const differs = (text: string) =>
    sql.analyse(text).statements.some((statement) => {
      const alone = sql.readStatement(statement.text)
      return (
        statement.kind !== alone.kind || sql.withStandardQuotes(statement) !== sql.withStandardQuotes(alone)
      )
    })
  expect([...randomSql(4, 10_000)].filter(differs)).toEqual([])
})

const LENGTH = 2 ** 15
const fill = (piece: string, length: number) =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length)
const TAG = `$${'a'.repeat(LENGTH / 4)}$`

/** Each makes a text of about this length. */
const LONG_TEXTS: Record<string, (length: number) => string> = {
  sums: (length) => `select ${fill('1+', length)}`,
  dots: (length) => `select ${fill('a.', length)}`,
  'rows of values': (length) => `insert into t values ${fill("(1, 'abc', 2.5), ", length)}`,
  'nested parentheses': (length) => `select ${'('.repeat(length / 2)}1${')'.repeat(length / 2)}`,
  'open parentheses': (length) => fill('(', length),
  'parentheses around semicolons': (length) => fill('(;', length),
  'a with list': (length) => `explain with a as (b), ${fill('a as (b), ', length)}`,
  'open with lists': (length) => fill('with a as (', length),
  'different names': (length) => `select ${Array.from({ length: length / 8 }, (_, at) => `c${at}`).join()}`,
  'escaped strings': (length) => fill(`E'a'\n`, length),
  'a long dollar tag': (length) => TAG + fill(`$${'a'.repeat(999)}`, length / 2) + TAG,
  ...Object.fromEntries(
    [
      ';',
      "'",
      "'a' ",
      '"',
      '`',
      '`a` ',
      '/*',
      '/* a */ ',
      '-- a\n',
      '$a$b',
      '//*',
      '1.',
      '\r',
      'a; ',
      '[',
      'é ',
    ].map((piece) => [JSON.stringify(piece), (length: number) => fill(piece, length)]),
  ),
}

/** Milliseconds of processor time, the least of some runs: a busy machine makes little difference. */
function timeOf(work: () => void): number {
  const times = Array.from({ length: 5 }, () => {
    const started = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

/** All that is done with a text. */
function readWhole(text: string): void {
  sql.statementAt(text, text.length)
  for (const statement of [...sql.analyse(text, 500).statements, sql.readStatement(text)])
    sql.findMention(statement, (name) => name === 'sought')
}

test.each(Object.entries(LONG_TEXTS))(
  'the time for %s grows with its length, not with the square of it',
  (_, make) => {
    const [short, long] = [make(LENGTH / 4), make(LENGTH)]
    const time = timeOf(() => readWhole(short))
    // Four times as long: four times the time, or sixteen times. Below a few milliseconds the clock says little.
    expect(timeOf(() => readWhole(long))).toBeLessThan(12 * Math.max(time, 4))
  },
)
