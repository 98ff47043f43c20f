import { LIMITS, type TextChange } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { applyChange, applyChanges, changeBetween } from './text-change.ts'

test('changes are applied in their order, and one that does not fit is refused', async () => {
  const changes: TextChange[] = [[[0, 'select ']], [7, [0, '1', '2']]]
  expect(await applyChanges('', changes)).toBe('select 1\n2')
  await expect(applyChanges('abc', [[5]])).rejects.toThrow('does not fit')
  await expect(applyChanges('a', [[1, [0, 'x'.repeat(LIMITS.sqlLength)]]])).rejects.toThrow('at most')
})

test('from one text to another there is one change', () => {
  expect(applyChange('select 1', changeBetween('select 1', 'select 12'))).toBe('select 12')
  expect(applyChange('a\nb', changeBetween('a\nb', ''))).toBe('')
})

test('while many changes are applied to a long text, others have their turn', async () => {
  const text = 'x'.repeat(LIMITS.sqlLength - 1_000)
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  const changes = Array.from({ length: LIMITS.liveChanges }, (_, at): TextChange => [
    at,
    [0, 'y'],
    text.length,
  ])
  try {
    expect((await applyChanges(text, changes)).length).toBe(text.length + LIMITS.liveChanges)
  } finally {
    clearInterval(timer)
  }
  expect(turns).toBeGreaterThan(10)
})
