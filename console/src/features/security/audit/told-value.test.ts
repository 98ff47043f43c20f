import { expect, test } from 'vitest'
import { formatDateTime } from '../../../lib/format.ts'
import { shownField, shownValue } from './shown-value.ts'

test('fields and moments of an entry are words', () => {
  expect(['warnPercent', 'owner.lastUsedAt', 'rule_id', 'name'].map(shownField)).toEqual([
    'warn percent',
    'owner last used at',
    'rule id',
    'name',
  ])
  const moment = '2026-03-01T09:00:00.000Z'
  expect(shownValue(moment)).toBe(formatDateTime(moment))
  expect(shownValue('not set')).toBe('not set')
  expect(shownValue(`before ${moment}`)).toBe(`before ${moment}`)
})
