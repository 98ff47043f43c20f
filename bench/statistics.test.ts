import { expect, test } from 'vitest'
import { geometricMean, median, percentile } from './statistics.ts'

test('a percentile is one of the values, whatever their order', () => {
  expect(percentile([5, 1, 4, 2, 3], 0.5)).toBe(3)
  expect(percentile([5, 1, 4, 2, 3], 0.99)).toBe(5)
  expect(percentile([7], 0)).toBe(7)
  expect(median([10, 30, 20])).toBe(20)
})

test('the mean of ratios treats half and double alike', () => {
  expect(geometricMean([0.5, 2])).toBeCloseTo(1)
  expect(geometricMean([1, 100])).toBeCloseTo(10)
})

test('nothing has no mean and no percentile', () => {
  expect(() => percentile([], 0.5)).toThrow('no percentile')
  expect(() => geometricMean([])).toThrow('no mean')
})
