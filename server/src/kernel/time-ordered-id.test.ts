import { expect, test } from 'vitest'
import { timeOrderedId } from './time-ordered-id.ts'

test('ids sort by when they were made, also within a millisecond and when the clock goes back', () => {
  const now = Date.now() + 60_000
  const ids = [
    ...Array.from({ length: 5_000 }, () => timeOrderedId(now)),
    timeOrderedId(now - 5_000),
    timeOrderedId(now + 10),
  ]
  expect(ids).toEqual([...ids].sort())
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})
