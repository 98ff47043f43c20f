import type { Field } from '@boathouse/client/public/index'
import { describe, expect, test } from 'vitest'
import { cutToWidth, displayWidth } from './display-width.ts'
import { progressText } from './progress.ts'
import { csvLine, jsonObject, uniqueNames } from './records.ts'
import { safeText } from './safe-text.ts'
import { tableShape, verticalRow } from './table.ts'

const field = (name: string, family: Field['family'] = 'text'): Field => ({ name, type: 'T', family })

describe('a text for a terminal', () => {
  test('has no control characters, no turned text and nothing that cannot be seen', () => {
    expect(safeText('a\u001b[2J\u0007\u009b\n\u202e\u200b\ud800z')).toBe(
      'a\\e[2J\\x07\\x9b\\n\\u{202e}\\u{200b}\\u{d800}z',
    )
    expect(safeText('Zürich 東京 👩‍👩‍👧')).toBe('Zürich 東京 👩‍👩‍👧')
  })

  test('is as wide as its characters are', () => {
    expect([displayWidth('abc'), displayWidth('東京'), displayWidth('é'), displayWidth('👩‍👩‍👧')]).toEqual([
      3, 4, 1, 2,
    ])
    expect([cutToWidth('東京都', 5), cutToWidth('abc', 3)]).toEqual(['東京…', 'abc'])
  })
})

describe('a table', () => {
  const fields = [field('id', 'number'), field('name')]
  const rows = [
    ['1', 'Ada'],
    ['20', null],
  ]
  test('aligns numbers to the right and says NULL', () => {
    const shape = tableShape(fields, rows, 80)
    expect(`${shape?.head}${shape?.lines(rows)}`).toBe('id | name\n---+-----\n 1 | Ada\n20 | NULL\n')
  })

  test('makes its widest columns narrower, and gives up where nothing could be read', () => {
    const long = [['1', 'x'.repeat(100)]]
    expect(tableShape(fields, long, 20)?.lines(long)).toBe(`${' '.repeat(1)}1 | ${'x'.repeat(14)}…\n`)
    expect(tableShape(fields, long, null)?.lines(long)).toContain('x'.repeat(100))
    const many = Array.from({ length: 30 }, (_, at) => field(`column_${at}`))
    expect(tableShape(many, [], 80)).toBeNull()
    expect(verticalRow(fields, ['1', null], 7)).toContain('-[ row 7 ]')
  })
})

describe('records', () => {
  test('of CSV tell an empty text from NULL, and lose no row of one column', () => {
    expect(csvLine(['a,b', 'say "hi"', '', null])).toBe('"a,b","say ""hi""","",\n')
    expect(csvLine([null])).toBe('""\n')
  })

  test('of JSON keep every digit, and what is no number of JSON is a text', () => {
    const fields = [field('n', 'number'), field('n', 'number'), field('b', 'boolean'), field('c')]
    expect(uniqueNames(fields)).toEqual(['n', 'n_2', 'b', 'c'])
    expect(jsonObject(fields, uniqueNames(fields), ['123456789012345678.90', 'NaN', 'true', '\u009b'])).toBe(
      '{"n":123456789012345678.90,"n_2":"NaN","b":true,"c":"\\u009b"}',
    )
  })
})

test('progress says where a statement is in its queue, or how far it is', () => {
  expect(progressText(2, { percent: null, rows: null, totalRows: null, queuePlace: 3 })).toBe(
    'Waiting, number 3 in the queue, 2.0 s. Ctrl+C stops it.',
  )
  expect(progressText(2, { percent: 41.9, rows: 1_200_000, totalRows: null, queuePlace: null })).toBe(
    'Running, 2.0 s, 41 %, 1.2M rows read. Ctrl+C stops it.',
  )
})
