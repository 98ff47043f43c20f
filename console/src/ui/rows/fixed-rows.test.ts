import { describe, expect, test } from 'vitest'
import { layoutRows, scrollTopFor } from './fixed-rows.ts'

const VIEWPORT = 520
const ROW_PX = 26
const seenAt = (scrollTop: number) => ({ scrollTop, viewport: VIEWPORT, rowPx: ROW_PX })

/** Where a row is on the screen, in pixels below its upper edge. */
const onScreen = (index: number, count: number, scrollTop: number) =>
  index * ROW_PX + layoutRows(count, seenAt(scrollTop)).shift - scrollTop

describe('rows of one height', () => {
  test('are drawn only where they are seen, and a little beyond', () => {
    expect(layoutRows(1000, seenAt(0))).toEqual({ height: 26_000, ratio: 1, shift: 0, first: 0, last: 26 })
    expect(layoutRows(1000, seenAt(2_600))).toMatchObject({ first: 94, last: 126 })
    expect(layoutRows(1000, seenAt(26_000 - VIEWPORT))).toMatchObject({ first: 974, last: 999 })
    expect(layoutRows(3, seenAt(0))).toMatchObject({ height: 78, first: 0, last: 2 })
    expect(layoutRows(100, { ...seenAt(0), rowPx: 24 })).toMatchObject({ height: 2_400, last: 28 })
    expect(layoutRows(0, seenAt(0))).toMatchObject({ height: 0, first: 0, last: -1 })
  })

  test.each([600_000, 1_000_000, 50_000_000])(
    'are all reached when there are %d, in a height that browsers can lay out',
    (count) => {
      const { height } = layoutRows(count, seenAt(0))
      expect(height).toBeLessThanOrEqual(15_000_000)
      expect(onScreen(0, count, 0)).toBe(0)
      expect(onScreen(count - 1, count, height - VIEWPORT)).toBeCloseTo(VIEWPORT - ROW_PX, 3)
      expect(layoutRows(count, seenAt(height - VIEWPORT)).last).toBe(count - 1)
    },
  )

  test.each([1000, 1_000_000])('of %d are scrolled to by the shortest way, and seen whole', (count) => {
    const target = Math.floor(count * 0.7)
    const down = scrollTopFor(target, count, seenAt(0))
    expect(onScreen(target, count, down)).toBeCloseTo(VIEWPORT - ROW_PX, 3)
    expect(scrollTopFor(target - 3, count, seenAt(down))).toBe(down)
    const up = scrollTopFor(5, count, seenAt(down))
    expect(onScreen(5, count, up)).toBeCloseTo(0, 3)
  })
})
