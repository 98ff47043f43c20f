import { expect, test } from 'vitest'
import { filterOf, isNarrowed, NOTHING } from './audit-search.ts'

test('what is typed becomes the filter, and what is empty does not matter [SEC-03]', () => {
  expect(filterOf(NOTHING)).toEqual({})
  expect(isNarrowed(NOTHING)).toBe(false)
  const search = { text: ' crew ', actor: 'ada', objectType: 'role', from: '2026-03-01T09:00', until: '' }
  expect(filterOf(search)).toEqual({
    text: 'crew',
    actor: 'ada',
    objectType: 'role',
    from: new Date(2026, 2, 1, 9).toISOString(),
  })
  expect(isNarrowed({ ...NOTHING, until: '2026-03-01T09:00' })).toBe(true)
  expect(filterOf({ ...NOTHING, from: 'soon', text: '  ' })).toEqual({})
})
