import type { WarehouseDetails, WarehouseState } from '@boathouse/contract/warehouse'
import type { Tone } from '../../ui/index.ts'

/** The filters of the list: several states mean the same to a user. */
export const STATE_GROUPS = ['all', 'running', 'changing', 'suspended', 'abnormal'] as const
export type StateGroup = (typeof STATE_GROUPS)[number]

interface Shown {
  readonly group: Exclude<StateGroup, 'all'>
  readonly tone: Tone
}

const CHANGING: Shown = { group: 'changing', tone: 'accent' }

/** The colours of the states. */
export const SHOWN_STATES: Readonly<Record<WarehouseState, Shown>> = {
  Deploying: CHANGING,
  Running: { group: 'running', tone: 'ok' },
  Suspending: CHANGING,
  Suspended: { group: 'suspended', tone: 'neutral' },
  Resuming: CHANGING,
  Updating: CHANGING,
  Scaling: CHANGING,
  Expanding: CHANGING,
  Releasing: { group: 'changing', tone: 'warn' },
  Failed: { group: 'abnormal', tone: 'err' },
  Unknown: { group: 'abnormal', tone: 'warn' },
}

export const isIn = (group: StateGroup, { status }: Pick<WarehouseDetails, 'status'>): boolean =>
  group === 'all' || SHOWN_STATES[status].group === group
