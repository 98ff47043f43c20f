import { expect, test } from 'vitest'
import { wholeRows } from './text-sample.ts'

const kept = (text: string, encoding: 'utf-8' | 'latin-1' = 'utf-8') => {
  const { head, end } = wholeRows(Buffer.from(text), encoding)
  return head.subarray(0, end).toString()
}

test('a row that is cut off is no part of the sample, nor is one whose quotes are still open', () => {
  expect(kept('a,b\n1,2\n3,')).toBe('a,b\n1,2\n')
  expect(kept('a,b\r\n1,2\r\n3,')).toBe('a,b\r\n1,2\r\n')
  expect(kept('a,b\r1,2\r3,')).toBe('a,b\r1,2\r')
  expect(kept('a,b\n1,"two\nlines"\n2,"three\nfo')).toBe('a,b\n1,"two\nlines"\n')
  expect(kept('a,b\n1,"says ""so""\n and more"\n2,"x""\ny')).toBe('a,b\n1,"says ""so""\n and more"\n')
})

test('where quotes say nothing, it ends with the last line, and a single line is all of it', () => {
  expect(kept('5" pipe\n6" pipe\n7" pi')).toBe('5" pipe\n6" pipe\n')
  expect(kept('" never closed\nline\nli')).toBe('" never closed\nline\n')
  expect(kept('one line')).toBe('one line')
})

test('of UTF-16 in either order whole characters are kept', () => {
  const little = Buffer.from('\ufeffa,Ċ\n1,2\n3', 'utf16le')
  const rows = '\ufeffa,Ċ\n1,2\n'.length * 2
  expect(wholeRows(little, 'utf-16').end).toBe(rows)
  const big = Buffer.from(little).swap16()
  expect(wholeRows(big, 'utf-16').end).toBe(rows)
  // Cut within a character.
  expect(wholeRows(little.subarray(0, -1), 'utf-16').end).toBe(rows)
})

test('whether there are quotes at all is known', () => {
  expect(wholeRows(Buffer.from('a\n1\n'), 'utf-8').hasQuotes).toBe(false)
  expect(wholeRows(Buffer.from('a\n"1"\n'), 'utf-8').hasQuotes).toBe(true)
})
