import type { Tone } from '../../../ui/index.ts'
import type { StatementView } from './statement-view.ts'

export interface ShownState {
  readonly key:
    | 'asked'
    | 'held'
    | 'waiting'
    | 'queued'
    | 'running'
    | 'stopping'
    | 'finished'
    | 'failed'
    | 'stopped'
    | 'skipped'
  readonly tone: Tone
}

/** In words and tones; stopping is the user's own wish, so it is no error. */
export function stateOf(view: StatementView, isStopping: boolean): ShownState {
  if (isStopping && (view === 'running' || view === 'queued')) return { key: 'stopping', tone: 'warn' }
  switch (view) {
    case 'asked':
      return { key: 'asked', tone: 'warn' }
    case 'held':
      return { key: 'held', tone: 'warn' }
    case 'waiting':
      return { key: 'waiting', tone: 'neutral' }
    case 'queued':
      return { key: 'queued', tone: 'neutral' }
    case 'running':
      return { key: 'running', tone: 'accent' }
    case 'stopped':
      return { key: 'stopped', tone: 'warn' }
    case 'skipped':
      return { key: 'skipped', tone: 'neutral' }
    case 'failed':
      return { key: 'failed', tone: 'err' }
    case 'plan':
    case 'rows':
    case 'done':
      return { key: 'finished', tone: 'ok' }
  }
}
