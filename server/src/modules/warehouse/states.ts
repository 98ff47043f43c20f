import type { WarehouseAction, WarehouseState } from '@boathouse/contract'

/** What people do, what compute reports, and what is found when nothing was under way. To `expand` is to resize to more. */
export type WarehouseEvent =
  | WarehouseAction
  | 'started'
  | 'start failed'
  | 'stopped'
  | 'scaled'
  | 'expand'
  | 'expanded'
  | 'engine lost'
  | 'engine silent'
  | 'found running'
  | 'found stopped'

/** WH-45. `found` puts a state right that was cut off in the middle: by a crash of the service or of its database. */
export const TRANSITIONS: readonly (readonly [
  from: WarehouseState,
  event: WarehouseEvent,
  to: WarehouseState,
])[] = [
  ['Deploying', 'started', 'Running'],
  ['Deploying', 'start failed', 'Failed'],
  ['Deploying', 'found running', 'Running'],
  ['Deploying', 'found stopped', 'Suspended'],

  ['Running', 'suspend', 'Suspending'],
  ['Running', 'resize', 'Scaling'],
  ['Running', 'expand', 'Expanding'],
  ['Running', 'edit', 'Updating'],
  ['Running', 'delete', 'Releasing'],
  ['Running', 'engine lost', 'Failed'],
  ['Running', 'engine silent', 'Unknown'],
  ['Running', 'found stopped', 'Suspended'],

  ['Suspending', 'stopped', 'Suspended'],
  ['Suspending', 'found running', 'Running'],
  ['Suspending', 'found stopped', 'Suspended'],

  ['Suspended', 'resume', 'Resuming'],
  ['Suspended', 'resize', 'Suspended'],
  ['Suspended', 'edit', 'Updating'],
  ['Suspended', 'delete', 'Releasing'],
  ['Suspended', 'found running', 'Running'],

  ['Resuming', 'started', 'Running'],
  ['Resuming', 'start failed', 'Failed'],
  ['Resuming', 'found running', 'Running'],
  ['Resuming', 'found stopped', 'Suspended'],

  ['Scaling', 'scaled', 'Running'],
  ['Scaling', 'engine lost', 'Failed'],
  ['Scaling', 'found running', 'Running'],
  ['Scaling', 'found stopped', 'Suspended'],

  ['Expanding', 'expanded', 'Running'],
  ['Expanding', 'engine lost', 'Failed'],
  ['Expanding', 'found running', 'Running'],
  ['Expanding', 'found stopped', 'Suspended'],

  ['Updating', 'engine lost', 'Failed'],
  ['Updating', 'found running', 'Running'],
  ['Updating', 'found stopped', 'Suspended'],

  ['Releasing', 'found running', 'Running'],
  ['Releasing', 'found stopped', 'Suspended'],

  ['Failed', 'resume', 'Resuming'],
  ['Failed', 'resize', 'Failed'],
  ['Failed', 'edit', 'Updating'],
  ['Failed', 'delete', 'Releasing'],
  ['Failed', 'found running', 'Running'],

  ['Unknown', 'suspend', 'Suspending'],
  ['Unknown', 'delete', 'Releasing'],
  ['Unknown', 'engine lost', 'Failed'],
  ['Unknown', 'found running', 'Running'],
  ['Unknown', 'found stopped', 'Suspended'],
]

/** Null when the state knows no such event. */
export const nextState = (from: WarehouseState, event: WarehouseEvent): WarehouseState | null =>
  TRANSITIONS.find(([state, name]) => state === from && name === event)?.[2] ?? null
