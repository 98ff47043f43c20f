import { expect, test } from 'vitest'
import { placeFor } from './tile-place.ts'

test('numbers are small and side by side, and what has no room beside the last tile goes below', () => {
  const chart = placeFor([], 'chart')
  expect(chart).toEqual({ x: 0, y: 0, w: 6, h: 6 })
  const first = placeFor([chart], 'number')
  expect(first).toEqual({ x: 6, y: 0, w: 3, h: 3 })
  const second = placeFor([chart, first], 'number')
  expect(second).toEqual({ x: 9, y: 0, w: 3, h: 3 })
  const third = placeFor([chart, first, second], 'number')
  expect(third).toEqual({ x: 0, y: 6, w: 3, h: 3 })
  expect(placeFor([chart, first, second, third], 'table')).toEqual({ x: 3, y: 6, w: 6, h: 6 })
})

test('a tile that somebody has moved beside the last one is not covered', () => {
  const tiles = [
    { x: 6, y: 1, w: 6, h: 6 },
    { x: 0, y: 0, w: 6, h: 6 },
  ]
  expect(placeFor(tiles, 'chart')).toEqual({ x: 0, y: 7, w: 6, h: 6 })
})
