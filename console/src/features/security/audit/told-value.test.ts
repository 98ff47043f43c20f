import { expect, test } from 'vitest'
import { formatDateTime } from '../../../lib/format.ts'
import { toldField, toldValue } from './told-value.ts'

test('fields and moments of an entry are words', () => {
  expect(['warnPercent', 'owner.lastUsedAt', 'rule_id', 'name'].map(toldField)).toEqual([
    'warn percent',
    'owner last used at',
    'rule id',
    'name',
  ])
  const moment = '2026-03-01T09:00:00.000Z'
  expect(toldValue(moment)).toBe(formatDateTime(moment))
  expect(toldValue('not set')).toBe('not set')
  expect(toldValue(`before ${moment}`)).toBe(`before ${moment}`)
})
