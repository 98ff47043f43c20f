import type { LoadState } from '@boathouse/contract'

/** What people ask for, and what becomes of a run. */
export type LoadEvent = 'begun' | 'done' | 'refused' | 'stopped' | 'pause' | 'resume' | 'cancel' | 'file gone'

/** WH-46. A run that was asked to pause and was done before it could be stopped is done. */
const TRANSITIONS: readonly (readonly [from: LoadState, event: LoadEvent, to: LoadState])[] = [
  ['queued', 'begun', 'running'],
  ['queued', 'done', 'finished'],
  ['queued', 'refused', 'failed'],
  ['queued', 'stopped', 'cancelled'],
  ['queued', 'pause', 'paused'],
  ['queued', 'cancel', 'cancelled'],

  ['running', 'done', 'finished'],
  ['running', 'refused', 'failed'],
  ['running', 'stopped', 'cancelled'],
  ['running', 'pause', 'paused'],
  ['running', 'cancel', 'cancelled'],

  ['paused', 'resume', 'queued'],
  ['paused', 'cancel', 'cancelled'],
  ['paused', 'file gone', 'failed'],

  ['failed', 'resume', 'queued'],
]

/** Those from which an event leads somewhere, for the condition of a change. */
export const statesBefore = (event: LoadEvent): readonly LoadState[] =>
  TRANSITIONS.filter(([, name]) => name === event).map(([from]) => from)

/** Where it leads; an event has one end, wherever it begins. */
export function stateAfter(event: LoadEvent): LoadState {
  const found = TRANSITIONS.find(([, name]) => name === event)
  if (!found) throw new Error(`No load task knows the event ${event}.`)
  return found[2]
}
