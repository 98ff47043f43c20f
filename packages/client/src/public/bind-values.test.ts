import { expect, test } from 'vitest'
import { boundValues } from './bind-values.ts'

test('values of JavaScript have their types', () => {
  const at = new Date('2026-11-18T09:30:00.125Z')
  expect(
    boundValues({ T: `O'Hara`, n: 1.5, b: 12345678901234567890n, y: true, z: null, at, ids: [1, 2] }),
  ).toEqual({
    t: { type: 'text', value: `O'Hara` },
    n: { type: 'number', value: '1.5' },
    b: { type: 'number', value: '12345678901234567890' },
    y: { type: 'boolean', value: 'true' },
    z: null,
    at: { type: 'timestamp', value: '2026-11-18 09:30:00.125' },
    ids: { type: 'number', values: ['1', '2'] },
  })
  const day = { type: 'date', value: '2026-11-18' } as const
  expect(boundValues({ 'period.from': day })).toEqual({ 'period.from': day })
})

test('a list is of one type, and not empty', () => {
  expect(() => boundValues({ ids: [] })).toThrow('ids must be at least one')
  expect(() => boundValues({ ids: [1, 'x'] })).toThrow('all of the same type')
})
