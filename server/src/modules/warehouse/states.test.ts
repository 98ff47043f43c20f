import { ACTIONS_OF_STATE, WAREHOUSE_ACTIONS, WAREHOUSE_STATES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { nextState, TRANSITIONS } from './states.ts'

test('the table says one thing for each state and event', () => {
  const keys = TRANSITIONS.map(([from, event]) => `${from}/${event}`)
  expect(new Set(keys).size).toBe(keys.length)
})

test.each(WAREHOUSE_STATES)('%s allows what its buttons offer, and nothing else [WH-45]', (state) => {
  const allowed = WAREHOUSE_ACTIONS.filter((action) => nextState(state, action) !== null)
  expect(allowed).toEqual(ACTIONS_OF_STATE[state])
})

test('while something is under way, no button is offered [WH-45]', () => {
  for (const state of ['Deploying', 'Suspending', 'Resuming', 'Scaling', 'Updating', 'Releasing'] as const)
    expect(ACTIONS_OF_STATE[state]).toEqual([])
})

test.each(WAREHOUSE_STATES)('%s can be left, whatever was cut off in the middle', (state) => {
  const stopped = nextState(state, 'found stopped') ?? state
  expect(['Suspended', 'Failed', 'Unknown']).toContain(stopped)
  expect(nextState(stopped, 'resume')).toBe('Resuming')
  expect(nextState(stopped, 'delete')).toBe('Releasing')
})

test('a warehouse goes from being made to being released [WH-24, WH-25, WH-26, WH-44]', () => {
  const walk = ['started', 'suspend', 'stopped', 'resume', 'started', 'resize', 'scaled', 'delete'] as const
  let state: (typeof WAREHOUSE_STATES)[number] | null = 'Deploying'
  const seen: string[] = [state]
  for (const event of walk) {
    state = state && nextState(state, event)
    seen.push(state ?? 'nowhere')
  }
  expect(seen).toEqual([
    'Deploying',
    'Running',
    'Suspending',
    'Suspended',
    'Resuming',
    'Running',
    'Scaling',
    'Running',
    'Releasing',
  ])
})
