import { expect, test } from 'vitest'
import { lineColumnAt, offsetAt } from './position.ts'
import { randomSql } from './random-sql.ts'

test('counts lines and columns from 1, with CR LF as one break and CR or LF alone as one each', () => {
  const text = 'a\r\nbc\nd\re'
  const at = (piece: string) => lineColumnAt(text, text.indexOf(piece))
  expect(at('a')).toEqual({ line: 1, column: 1 })
  expect(at('b')).toEqual({ line: 2, column: 1 })
  expect(at('c')).toEqual({ line: 2, column: 2 })
  expect(at('d')).toEqual({ line: 3, column: 1 })
  expect(at('e')).toEqual({ line: 4, column: 1 })
})

test('puts an offset inside CR LF at the end of its line', () => {
  expect(lineColumnAt('a\r\nb', 2)).toEqual({ line: 1, column: 2 })
})

test('answers for the nearest place when there is no such offset or position', () => {
  expect(lineColumnAt('ab\nc', 99)).toEqual({ line: 2, column: 2 })
  expect(lineColumnAt('ab', -1)).toEqual({ line: 1, column: 1 })
  expect(offsetAt('ab\nc', 1, 99)).toBe(2)
  expect(offsetAt('ab\nc', 99, 1)).toBe(4)
  expect(offsetAt('', 1, 1)).toBe(0)
})

function leadsBack(text: string, offset: number): boolean {
  const isInsideBreak = text.slice(offset - 1, offset + 1) === '\r\n'
  const { line, column } = lineColumnAt(text, offset)
  return isInsideBreak || offsetAt(text, line, column) === offset
}

test('a position leads back to its offset in any text', () => {
  for (const text of randomSql(4, 500)) {
    const offsets = Array.from({ length: text.length + 1 }, (_, offset) => offset)
    expect(offsets.filter((offset) => !leadsBack(text, offset))).toEqual([])
  }
})
