import { expect, test } from 'vitest'
import { kindOf, readStatement } from '../statement.ts'
import { readShowWarnings } from './show-warnings.ts'

const all = { counts: false, offset: 0, limit: null }

test.each([
  ['SHOW WARNINGS', { ...all, what: 'warnings' }],
  ['show errors;', { ...all, what: 'errors' }],
  ['SHOW WARNINGS LIMIT 5', { ...all, what: 'warnings', limit: 5 }],
  ['SHOW ERRORS LIMIT 2, 5', { ...all, what: 'errors', offset: 2, limit: 5 }],
  ['SHOW COUNT(*) WARNINGS', { ...all, what: 'warnings', counts: true }],
  ['SHOW COUNT(*) ERRORS', { ...all, what: 'errors', counts: true }],
])('reads %s', (text, found) => {
  expect(kindOf(text)).toBe('show-warnings')
  expect(readShowWarnings(readStatement(text))).toEqual(found)
})

test.each([
  'SHOW',
  'SHOW WARNINGS LIMIT',
  'SHOW WARNINGS LIMIT -1',
  'SHOW WARNINGS LIMIT 1,',
  'SHOW WARNINGS x',
  'SHOW COUNT(*) WARNINGS LIMIT 1',
  'SHOW COUNT(1) WARNINGS',
])('finds nothing to show in %s', (text) => {
  expect(readShowWarnings(readStatement(text))).toBeNull()
})
