import { expect, test } from 'vitest'
import { asksForProfile, PROFILE_HINT } from './profile-hint.ts'

test.each([
  [`SELECT ${PROFILE_HINT} 1`, true],
  [`with ${PROFILE_HINT}\nx as (select 1) from x`, true],
  [`from ${PROFILE_HINT} x`, true],
  ['select /*+SET_VAR( enable_profile = on )*/ 1', true],
  ['select 1', false],
  ['select /*+ SET_VAR(is_report_success=false) */ 1', false],
  ['select /*+ SET_VAR(query_timeout=1) */ 1', false],
  [`select 1 ${PROFILE_HINT}`, false],
  [`select '${PROFILE_HINT}'`, false],
  [`insert into t select ${PROFILE_HINT} 1`, false],
])('%j asks for its profile: %s', (text, expected) => {
  expect(asksForProfile(text)).toBe(expected)
})
