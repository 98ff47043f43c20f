import type { WarehouseAction, WarehouseState } from '@boathouse/contract'

/** What people do, what compute reports, and what is found when nothing was under way. */
export type WarehouseEvent =
  | WarehouseAction
  | 'started'
  | 'start failed'
  | 'stopped'
  | 'scaled'
  | 'engine lost'
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
  ['Running', 'edit', 'Running'],
  ['Running', 'delete', 'Releasing'],
  ['Running', 'engine lost', 'Failed'],
  ['Running', 'found stopped', 'Suspended'],

  ['Suspending', 'stopped', 'Suspended'],
  ['Suspending', 'found running', 'Running'],
  ['Suspending', 'found stopped', 'Suspended'],

  ['Suspended', 'resume', 'Resuming'],
  ['Suspended', 'resize', 'Suspended'],
  ['Suspended', 'edit', 'Suspended'],
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

  // Changes other than of size are one transaction here; other kinds of compute may take longer over them.
  ['Updating', 'found running', 'Running'],
  ['Updating', 'found stopped', 'Suspended'],
  ['Expanding', 'found running', 'Running'],
  ['Expanding', 'found stopped', 'Suspended'],

  ['Releasing', 'found running', 'Running'],
  ['Releasing', 'found stopped', 'Suspended'],

  ['Failed', 'resume', 'Resuming'],
  ['Failed', 'resize', 'Failed'],
  ['Failed', 'edit', 'Failed'],
  ['Failed', 'delete', 'Releasing'],
  ['Failed', 'found running', 'Running'],

  ['Unknown', 'resume', 'Resuming'],
  ['Unknown', 'delete', 'Releasing'],
  ['Unknown', 'found running', 'Running'],
]

/** Null when the state knows no such event. */
export const nextState = (from: WarehouseState, event: WarehouseEvent): WarehouseState | null =>
  TRANSITIONS.find(([state, name]) => state === from && name === event)?.[2] ?? null
