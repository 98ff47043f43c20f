import { expect, test } from 'vitest'
import { parseExactly } from './exact-json.ts'

test('keeps all digits of whole numbers, as text where a number would lose some', () => {
  expect(parseExactly('[9007199254740993, -9223372036854775808, 42, -1]')).toEqual([
    '9007199254740993',
    '-9223372036854775808',
    42,
    -1,
  ])
})

test('leaves fractions and exponents to JavaScript, which has their nearest number', () => {
  expect(
    parseExactly('[0.1234567890123456789, 1.0E-17, 12345678901234567.5, 1234567890123456789E2]'),
  ).toEqual(['0.1234567890123456789', '1.0E-17', '12345678901234567.5', '1234567890123456789E2'].map(Number))
})

test('leaves texts as they are, whatever is in them', () => {
  const texts = ['[9007199254740993]', '"', '\\', '\\"9007199254740993', '', '9007199254740993']
  expect(parseExactly(JSON.stringify([...texts, 1]))).toEqual([...texts, 1])
  expect(parseExactly(`{"9007199254740993":${'9'.repeat(20)},"a":"\\\\"}`)).toEqual({
    '9007199254740993': '9'.repeat(20),
    a: '\\',
  })
})

test('reads a text of megabytes', () => {
  const long = 'x"\\'.repeat(2_000_000)
  expect(parseExactly(`[${JSON.stringify(long)},9007199254740993]`)).toEqual([long, '9007199254740993'])
})

test.each(['', '{', '[9007199254740993', '"9007199254740993'])('refuses what is no JSON: %s', (json) => {
  expect(() => parseExactly(json)).toThrow(SyntaxError)
})
