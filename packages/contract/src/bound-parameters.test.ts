import { expect, test } from 'vitest'
import { bindParameters, newParameter, parametersFor, parametersOfValues } from './bound-parameters.ts'
import type { Parameter } from './parameters.ts'

const of = (kind: Parameter['kind'], value: string[], more: Partial<Parameter> = {}): Parameter => ({
  ...newParameter('a', kind),
  value,
  ...more,
})

test.each([
  [of('text', []), 'missing'],
  [of('number', ['']), 'missing'],
  [of('number', ['1 or 1']), 'number'],
  [of('date', ['18.11.2026']), 'date'],
  [of('date', ['2026-13-01']), 'date'],
  [of('several', []), 'missing'],
  [of('several', ['1', 'x'], { of: 'number' }), 'number'],
] as const)('%j cannot be sent: %s', (parameter, problem) => {
  expect(bindParameters(['a'], [parameter])).toEqual({ name: 'a', problem })
})

test.each([
  [of('text', ['']), { type: 'text', value: '' }],
  [of('number', [' 1.50 ']), { type: 'number', value: '1.50' }],
  [of('date', ['2026-02-28']), { type: 'date', value: '2026-02-28' }],
  [of('choice', ['x']), { type: 'text', value: 'x' }],
  [of('several', ['1', '2'], { of: 'number' }), { type: 'number', values: ['1', '2'] }],
] as const)('%j is sent as %j', (parameter, bound) => {
  expect(bindParameters(['a'], [parameter])).toEqual({ values: { a: bound } })
})

test('a range has two ends, in their order', () => {
  const range = of('range', ['2026-01-01', '2026-01-31'])
  const names = ['a.from', 'a.to']
  expect(bindParameters(names, [range])).toEqual({
    values: {
      'a.from': { type: 'date', value: '2026-01-01' },
      'a.to': { type: 'date', value: '2026-01-31' },
    },
  })
  expect(bindParameters(['a.to'], [range])).toEqual({
    values: { 'a.to': { type: 'date', value: '2026-01-31' } },
  })
  expect(bindParameters(names, [of('range', ['2026-01-31', '2026-01-01'])])).toEqual({
    name: 'a',
    problem: 'order',
  })
  expect(bindParameters(names, [of('range', ['2026-01-31', ''])])).toEqual({ name: 'a', problem: 'missing' })
})

test('the text says what is a range, whatever was known', () => {
  expect(parametersFor(['a'], [of('range', ['x', 'y'])])).toEqual([newParameter('a')])
  expect(parametersFor(['a.from'], [of('number', ['1'])])).toEqual([newParameter('a', 'range')])
})

test('what was bound is described by its values, and binds the same again', () => {
  const values = {
    t: { type: 'text', value: 'x' },
    n: { type: 'number', value: '1' },
    d: { type: 'date', value: '2026-01-01' },
    's.from': { type: 'date', value: '2026-01-01' },
    's.to': { type: 'date', value: '2026-01-02' },
    l: { type: 'number', values: ['1', '2'] },
  } as const
  const parameters = parametersOfValues({ ...values, l: { type: 'number', values: ['1', '2'] } })
  expect(bindParameters(Object.keys(values), parameters)).toEqual({ values })
})
