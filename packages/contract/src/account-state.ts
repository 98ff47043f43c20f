/**
 * Two fields, two readings of the same numbers. `accountState` of the user info is the shell's; `state` of an
 * account-list item is the life cycle. Neither is ever compared with a bare number.
 */
export const SHELL_STATES = {
  /** Not opened yet, refused or given up: nobody is signed in to it. */
  Closed: -1,
  Active: 2,
  Frozen: 3,
  /** Frozen, and its data is kept up to a date. */
  FrozenForDeletion: 4,
  Resuming: 5,
} as const

export const isFrozen = (state: number): boolean =>
  state === SHELL_STATES.Frozen || state === SHELL_STATES.FrozenForDeletion
export const isResuming = (state: number): boolean => state === SHELL_STATES.Resuming
export const forcesLogout = (state: number): boolean => state < 0

export const accountPollMs = (state: number): number =>
  isFrozen(state) || isResuming(state) ? 3_000 : 60_000

type Tone = 'grey' | 'yellow' | 'green' | 'red'
interface LifeCycleLabel {
  readonly label: string
  readonly tone: Tone
}

/** By number. */
export const LIFE_CYCLE: readonly LifeCycleLabel[] = [
  { label: 'Abnormal', tone: 'grey' },
  { label: 'Reviewing', tone: 'yellow' },
  { label: 'Pending', tone: 'yellow' },
  { label: 'Available', tone: 'green' },
  { label: 'Deleting', tone: 'yellow' },
  { label: 'Deleted', tone: 'red' },
  { label: 'Rejected', tone: 'red' },
  { label: 'Failed', tone: 'red' },
]

/** The numbers of that list. */
export const LIFE_CYCLE_STATES = {
  Abnormal: 0,
  Reviewing: 1,
  Pending: 2,
  Available: 3,
  Deleting: 4,
  Deleted: 5,
  Rejected: 6,
  Failed: 7,
} as const
