import { expect, test } from 'vitest'
import { copyAs } from './copy-formats.ts'

const copied = {
  columns: [
    { name: 'id', family: 'number' },
    { name: 'na"me', family: 'text' },
  ],
  rows: [
    ['9007199254740993', 'O\'Neil, "Jo"'],
    ['2', null],
    ['NaN', ''],
    ['2', 'a|b\nc'],
  ],
}

test('pain 14: CSV quotes what needs it, and NULL is not an empty text', () => {
  expect(copyAs('csv', copied)).toBe(
    'id,"na""me"\n9007199254740993,"O\'Neil, ""Jo"""\n2,\nNaN,""\n2,"a|b\nc"'.replace(
      '2,"a|b\nc"',
      '2,"a|b\nc"',
    ),
  )
})

test('pain 6: JSON keeps every digit, and what is no JSON number is a text', () => {
  const text = copyAs('json', copied)
  expect(text).toContain('{"id": 9007199254740993, "na\\"me": "O\'Neil, \\"Jo\\""}')
  expect(text).toContain('{"id": 2, "na\\"me": null}')
  expect(text).toContain('{"id": "NaN", "na\\"me": ""}')
  expect(JSON.parse(text)).toHaveLength(4)
})

test('Markdown is a table, whatever is in the cells', () => {
  expect(copyAs('markdown', copied).split('\n')).toEqual([
    '| id | na"me |',
    '| --: | --- |',
    '| 9007199254740993 | O\'Neil, "Jo" |',
    '| 2 | NULL |',
    '| NaN |  |',
    '| 2 | a\\|b<br>c |',
  ])
})

test('INSERT has numbers as they are, texts in quotes and NULL', () => {
  expect(copyAs('insert', copied)).toBe(
    `INSERT INTO table_name ("id", "na""me") VALUES\n  (9007199254740993, 'O''Neil, "Jo"'),\n  (2, NULL),\n  ('NaN', ''),\n  (2, 'a|b\nc');`,
  )
})

test('a list for IN has each value once, and no NULL', () => {
  const ids = { columns: [copied.columns[0]!], rows: [['2'], ['3'], [null], ['2']] }
  expect(copyAs('inList', ids)).toBe('(2, 3)')
})
