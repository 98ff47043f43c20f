import type { LoadState } from '@boathouse/contract'

/** What users request, and how a run ends. */
export type LoadEvent = 'begun' | 'done' | 'refused' | 'stopped' | 'pause' | 'resume' | 'cancel' | 'file gone'

/** A run that finished before it could be paused is finished. */
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
