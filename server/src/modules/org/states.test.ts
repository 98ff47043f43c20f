import { LIFE_CYCLE_STATES, SHELL_STATES } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { LIFE_TRANSITIONS, type MoveName, MOVES, SHELL_TRANSITIONS, statesAfter } from './states.ts'

const names = <T extends object>(states: T) => Object.keys(states) as (keyof T)[]

test('an event leads from a state to one other, in both readings', () => {
  for (const table of [LIFE_TRANSITIONS, SHELL_TRANSITIONS]) {
    const keys = table.map(([from, event]) => `${from}, ${event}`)
    expect(keys.length).toBe(new Set(keys).size)
  }
})

test('every account can be released, but for one that is being deleted', () => {
  const releasable = names(LIFE_CYCLE_STATES).filter((life) =>
    names(SHELL_STATES).every((shell) => statesAfter({ life, shell }, 'release')),
  )
  expect(releasable).toEqual(['Abnormal', 'Reviewing', 'Pending', 'Available', 'Rejected', 'Failed'])
})

test.each<[string, string, MoveName, string, string]>([
  ['Reviewing', 'Closed', 'approve', 'Pending', 'Closed'],
  ['Reviewing', 'Closed', 'reject', 'Rejected', 'Closed'],
  ['Pending', 'Closed', 'finish set-up', 'Available', 'Active'],
  ['Pending', 'Closed', 'fail set-up', 'Failed', 'Closed'],
  ['Failed', 'Closed', 'retry set-up', 'Pending', 'Closed'],
  ['Available', 'Active', 'freeze', 'Available', 'Frozen'],
  ['Available', 'Active', 'freeze until deletion', 'Available', 'FrozenForDeletion'],
  ['Available', 'Frozen', 'freeze until deletion', 'Available', 'FrozenForDeletion'],
  ['Available', 'Frozen', 'resume', 'Available', 'Resuming'],
  ['Available', 'FrozenForDeletion', 'resume', 'Available', 'Resuming'],
  ['Available', 'Resuming', 'finish resume', 'Available', 'Active'],
  ['Available', 'Resuming', 'fail resume', 'Abnormal', 'Resuming'],
  ['Abnormal', 'Resuming', 'finish resume', 'Available', 'Active'],
  ['Available', 'FrozenForDeletion', 'release', 'Deleting', 'Closed'],
  ['Deleting', 'Closed', 'restore', 'Available', 'Resuming'],
])('%s and %s: %s leads to %s and %s', (life, shell, move, nextLife, nextShell) => {
  expect(statesAfter({ life, shell } as Parameters<typeof statesAfter>[0], move)).toEqual({
    life: nextLife,
    shell: nextShell,
  })
})

test.each<[string, string, MoveName]>([
  ['Available', 'Active', 'approve'],
  ['Available', 'Active', 'resume'],
  ['Available', 'Active', 'restore'],
  ['Available', 'Frozen', 'freeze'],
  ['Reviewing', 'Closed', 'freeze'],
  ['Rejected', 'Closed', 'approve'],
  ['Deleting', 'Closed', 'release'],
  ['Deleting', 'Closed', 'resume'],
])('%s and %s do not know %s', (life, shell, move) => {
  expect(statesAfter({ life, shell } as Parameters<typeof statesAfter>[0], move)).toBeNull()
})

test('nothing changes the life of what is deleted, and everything that can happen can happen somewhere', () => {
  for (const move of Object.keys(MOVES) as MoveName[]) {
    if (MOVES[move].life !== null) expect(statesAfter({ life: 'Deleted', shell: 'Closed' }, move)).toBeNull()
    const isPossible = names(LIFE_CYCLE_STATES).some((life) =>
      names(SHELL_STATES).some((shell) => statesAfter({ life, shell }, move)),
    )
    expect([move, isPossible]).toEqual([move, true])
  }
})
