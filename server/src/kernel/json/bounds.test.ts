import { expect, test } from 'vitest'
import { JSON_BOUNDS, whyNotParsed } from './bounds.ts'
import { parseJson } from './parse.ts'

const why = (text: string) => whyNotParsed(Buffer.from(text))
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const { depth, tokens } = JSON_BOUNDS

test.each([
  ['nothing', ''],
  ['as deep as it may be', nested(depth)],
  ['many shallow lists', `[${'[],'.repeat(1000)}[]]`],
  ['marks within a text', JSON.stringify({ sql: '[[[{{{'.repeat(100_000) })],
  ['marks within a name', JSON.stringify({ ['['.repeat(1000)]: 1 })],
  ['quotes and backslashes within a text', JSON.stringify({ sql: '\\"[[\\\\"'.repeat(10_000) })],
  ['letters of more than one byte', JSON.stringify({ sql: 'Жö漢🚣['.repeat(10_000) })],
  ['as many values as there may be', `[${'1,'.repeat(tokens - 1)}1]`],
])('%s is left to the parser', (_, text) => {
  expect(why(text)).toBeNull()
})

test.each([
  ['one level more', nested(depth + 1), 'is nested deeper'],
  ['objects in objects', '{"a":'.repeat(depth + 1), 'is nested deeper'],
  ['lists and objects in turn', '[{"a":'.repeat(depth), 'is nested deeper'],
  ['levels with blanks between', '[ \n\t'.repeat(depth + 1), 'is nested deeper'],
  ['levels behind a text that ends in a backslash', `["\\\\",${'['.repeat(depth)}`, 'is nested deeper'],
  ['levels behind many values', `[${'1,'.repeat(1000)}${'['.repeat(depth)}`, 'is nested deeper'],
  ['one value more', `[${'1,'.repeat(tokens)}1]`, 'has more than'],
  ['empty texts', `[${'"",'.repeat(tokens)}""]`, 'has more than'],
  ['empty objects', `[${'{},'.repeat(tokens)}{}]`, 'has more than'],
  ['names', `{${'"a":1,'.repeat(tokens)}"a":1}`, 'has more than'],
])('%s are refused before they are parsed', (_, text, words) => {
  expect(why(text)).toContain(words)
})

const MEGABYTES = 3.9 * 1024 * 1024
const least = (work: () => unknown): number =>
  Math.min(
    ...Array.from({ length: 3 }, () => {
      const from = performance.now()
      work()
      return performance.now() - from
    }),
  )
const parsed = (text: string) => () => {
  try {
    JSON.parse(text)
  } catch {
    // It is the time that is looked at.
  }
}

test.each([
  ['opened lists', '['.repeat(MEGABYTES)],
  ['opened objects', '{"a":'.repeat(MEGABYTES / 5)],
  ['small numbers', `[${'1,'.repeat(MEGABYTES / 2)}1]`],
  ['small texts', `[${'"",'.repeat(MEGABYTES / 3)}""]`],
])('to refuse 3.9 MB of %s takes a fraction of what it takes to parse them', (_, text) => {
  const bytes = Buffer.from(text)
  expect(least(() => whyNotParsed(bytes)) * 10).toBeLessThan(least(parsed(text)))
})

test.each([
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 'is not UTF-8.'],
  ['half a text', Buffer.from('{"a":"'), {}, 'is not JSON.'],
  [
    'U+0000 where it cannot be kept',
    Buffer.from('{"a":"\\u0000"}'),
    { refusesZero: true },
    'holds the character U+0000. Remove it.',
  ],
])('%s are refused in words', (_, bytes, rules, problem) => {
  expect(parseJson(bytes, rules)).toEqual({ problem })
})
