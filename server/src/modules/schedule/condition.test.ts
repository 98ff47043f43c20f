import { expect, test } from 'vitest'
import { isLoud, judge, type Looked } from './condition.ts'

const looked = (...values: (string | null)[]): Looked => ({
  columns: [{ name: 'id' }, { name: 'Total' }],
  rows: values.map((value, at) => [String(at), value]),
  totalRows: values.length,
})

const met = (kind: Parameters<typeof judge>[0]['kind'], of: Looked, value = 10) =>
  judge({ kind, column: 'total', value }, of, null).met

test('any row and no row', () => {
  expect([met('any row', looked()), met('any row', looked('1'))]).toEqual([false, true])
  expect([met('no row', looked()), met('no row', looked('1'))]).toEqual([true, false])
})

test.each([
  ['above', ['9', '10'], false],
  ['above', ['9', '10.5'], true],
  ['above', ['1e3'], true],
  ['above', [null], false],
  ['below', ['10', '11'], false],
  ['below', ['11', '-3'], true],
  ['below', [null, '9.99'], true],
  ['below', [], false],
] as const)('%s 10 of %j: %s', (kind, values, holds) => {
  expect(met(kind, looked(...values))).toBe(holds)
})

test('a column that is not there and a value that is not a number are refused', () => {
  expect(() => judge({ kind: 'above', column: 'sum', value: 1 }, looked('2'), null)).toThrow(
    'The result has no column sum. It has id, Total.',
  )
  for (const text of ['two', ''])
    expect(() => met('above', looked(text))).toThrow('The column total has values that are not numbers.')
})

test('changed is against the rows of the run before, and the first run is like nothing', () => {
  const condition = { kind: 'changed', column: '', value: 0 } as const
  const first = judge(condition, looked('1', '2'), null)
  expect(first.met).toBe(false)
  expect(judge(condition, looked('1', '2'), first.fingerprint).met).toBe(false)
  for (const other of [
    looked('1'),
    looked('1', '3'),
    looked('2', '1'),
    { ...looked('1', '2'), totalRows: 9 },
  ])
    expect(judge(condition, other, first.fingerprint).met).toBe(true)
})

test('nobody is notified again within the quiet time', () => {
  const at = (minute: number) => new Date(minute * 60_000)
  expect(isLoud(null, 60, at(0))).toBe(true)
  expect(isLoud(at(0), 60, at(59))).toBe(false)
  expect(isLoud(at(0), 60, at(60))).toBe(true)
  expect(isLoud(at(0), 0, at(0))).toBe(true)
})
