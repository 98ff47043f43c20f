import type { LIFE_CYCLE_STATES, SHELL_STATES } from '@boathouse/contract'

type Life = keyof typeof LIFE_CYCLE_STATES
type Shell = keyof typeof SHELL_STATES

export type LifeEvent =
  | 'approve'
  | 'reject'
  | 'set up'
  | 'set-up failed'
  | 'retry'
  | 'data unreachable'
  | 'data reached'
  | 'release'
  | 'restore'

/** The states in the account list. Deleted remains when the row itself is gone. */
export const LIFE_TRANSITIONS: readonly (readonly [from: Life, event: LifeEvent, to: Life])[] = [
  ['Reviewing', 'approve', 'Pending'],
  ['Reviewing', 'reject', 'Rejected'],
  ['Reviewing', 'release', 'Deleting'],

  ['Pending', 'set up', 'Available'],
  ['Pending', 'set-up failed', 'Failed'],
  ['Pending', 'release', 'Deleting'],

  ['Failed', 'retry', 'Pending'],
  ['Failed', 'release', 'Deleting'],

  ['Available', 'data unreachable', 'Abnormal'],
  ['Available', 'data reached', 'Available'],
  ['Available', 'release', 'Deleting'],

  ['Abnormal', 'data reached', 'Available'],
  ['Abnormal', 'release', 'Deleting'],

  ['Rejected', 'release', 'Deleting'],

  ['Deleting', 'restore', 'Available'],
]

export type ShellEvent =
  | 'open'
  | 'freeze'
  | 'freeze until deletion'
  | 'resume'
  | 'resumed'
  | 'close'
  | 'restore'

/** The states that the shell reads. */
export const SHELL_TRANSITIONS: readonly (readonly [from: Shell, event: ShellEvent, to: Shell])[] = [
  ['Closed', 'open', 'Active'],
  ['Closed', 'close', 'Closed'],
  ['Closed', 'restore', 'Resuming'],

  ['Active', 'freeze', 'Frozen'],
  ['Active', 'freeze until deletion', 'FrozenForDeletion'],
  ['Active', 'close', 'Closed'],

  ['Frozen', 'freeze until deletion', 'FrozenForDeletion'],
  ['Frozen', 'resume', 'Resuming'],
  ['Frozen', 'close', 'Closed'],

  ['FrozenForDeletion', 'resume', 'Resuming'],
  ['FrozenForDeletion', 'close', 'Closed'],

  ['Resuming', 'resumed', 'Active'],
  ['Resuming', 'freeze', 'Frozen'],
  ['Resuming', 'freeze until deletion', 'FrozenForDeletion'],
  ['Resuming', 'close', 'Closed'],
]

/** Both readings change together. */
interface Move {
  readonly life: LifeEvent | null
  readonly shell: ShellEvent | null
  /** As in: the account cannot be … now. */
  readonly done: string
}

/** Everything that happens to an account. */
export const MOVES = {
  approve: { life: 'approve', shell: null, done: 'approved' },
  reject: { life: 'reject', shell: null, done: 'rejected' },
  'finish set-up': { life: 'set up', shell: 'open', done: 'opened' },
  'fail set-up': { life: 'set-up failed', shell: null, done: 'given up' },
  'retry set-up': { life: 'retry', shell: null, done: 'set up again' },
  freeze: { life: null, shell: 'freeze', done: 'frozen' },
  'freeze until deletion': { life: null, shell: 'freeze until deletion', done: 'frozen' },
  resume: { life: null, shell: 'resume', done: 'resumed' },
  'fail resume': { life: 'data unreachable', shell: null, done: 'marked as abnormal' },
  'finish resume': { life: 'data reached', shell: 'resumed', done: 'resumed' },
  release: { life: 'release', shell: 'close', done: 'deleted' },
  restore: { life: 'restore', shell: 'restore', done: 'brought back' },
} as const satisfies Record<string, Move>

export type MoveName = keyof typeof MOVES

export interface AccountStates {
  readonly life: Life
  readonly shell: Shell
}

/** Null when either reading knows no such event. */
export function statesAfter({ life, shell }: AccountStates, name: MoveName): AccountStates | null {
  const move: Move = MOVES[name]
  const nextLife =
    move.life === null
      ? life
      : LIFE_TRANSITIONS.find(([from, event]) => from === life && event === move.life)?.[2]
  const nextShell =
    move.shell === null
      ? shell
      : SHELL_TRANSITIONS.find(([from, event]) => from === shell && event === move.shell)?.[2]
  return nextLife && nextShell ? { life: nextLife, shell: nextShell } : null
}
