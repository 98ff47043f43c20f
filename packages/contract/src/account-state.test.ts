import { expect, test } from 'vitest'
import {
  accountPollMs,
  forcesLogout,
  isFrozen,
  isResuming,
  LIFE_CYCLE,
  LIFE_CYCLE_STATES,
  SHELL_STATES,
} from './account-state.ts'

test('to the shell 2 is active, 3 and 4 are frozen, 5 is resuming [ACCOUNT-52, ACCOUNT-53, ACCOUNT-54, ACCOUNT-55]', () => {
  const states = [-1, 0, 1, 2, 3, 4, 5, 6, 7]
  expect(SHELL_STATES.Active).toBe(2)
  expect(states.filter(isFrozen)).toEqual([3, 4])
  expect(states.filter(isResuming)).toEqual([5])
})

test('only a state below 0 forces logout', () => {
  expect([-2, -1, 0, 1, 2, 3, 4, 5, 6, 7].filter(forcesLogout)).toEqual([-2, -1])
})

test('states 3, 4 and 5 are polled every 3 s, all others every 60 s', () => {
  const waits = [-1, 0, 1, 2, 3, 4, 5, 6, 7].map(accountPollMs)
  expect(waits).toEqual([60_000, 60_000, 60_000, 60_000, 3_000, 3_000, 3_000, 60_000, 60_000])
})

test('the life cycle of an account reads the same numbers in its own way [ACCOUNT-64]', () => {
  expect(LIFE_CYCLE.map(({ label, tone }) => `${label}, ${tone}`)).toEqual([
    'Abnormal, grey',
    'Reviewing, yellow',
    'Pending, yellow',
    'Available, green',
    'Deleting, yellow',
    'Deleted, red',
    'Rejected, red',
    'Failed, red',
  ])
  expect(Object.keys(LIFE_CYCLE_STATES)).toEqual(LIFE_CYCLE.map(({ label }) => label))
  expect(Object.values(LIFE_CYCLE_STATES)).toEqual([...LIFE_CYCLE.keys()])
})
