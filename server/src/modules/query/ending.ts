import type { CodeName } from '@boathouse/contract'
import type { KeptResult, Outcome, ProfileNode, ResultRows } from '../../engines/engine.ts'
import type { ConnectionChange } from './connections.ts'
import type { StatementEnd } from './store.ts'

/** Whether a statement that writes took effect; null for one that reads. */
export type EffectKnown = 'taken' | 'not taken' | 'unknown' | null

/** How one statement ended, before it is written down and told. */
export interface Ending {
  readonly state: StatementEnd['state']
  readonly code: CodeName
  readonly message: string
  readonly offset: number | null
  readonly result: ResultRows | null
  readonly effect: EffectKnown
  readonly kept: KeptResult | null
  readonly profile: ProfileNode | null
  readonly peakMemoryBytes: number | null
  /** Decimal text; null when no warehouse was used. */
  readonly costCcu: string | null
  readonly notice: string
  readonly move?: ConnectionChange
}

const NOTHING = {
  effect: null,
  kept: null,
  profile: null,
  peakMemoryBytes: null,
  costCcu: null,
  notice: '',
} as const

export const finished = (result: ResultRows, move?: Ending['move']): Ending => ({
  ...NOTHING,
  state: 'finished',
  code: 'Ok',
  message: '',
  offset: null,
  result,
  ...(move ? { move } : {}),
})

export const failed = (code: CodeName, message: string, offset: number | null = null): Ending => ({
  ...NOTHING,
  state: 'failed',
  code,
  message,
  offset,
  result: null,
})

export const cancelled = (message: string): Ending => ({
  ...failed('Cancelled', message),
  state: 'cancelled',
})

/** What is said of a statement that was cut off, by what is known of its effect. */
export const CUT_OFF: Readonly<Record<'reads' | 'service' | 'taken' | 'not taken' | 'unknown', string>> = {
  reads: 'It only reads, so it can simply be run again.',
  service: 'Look whether it took effect before you run it again.',
  taken: 'It took effect completely.',
  'not taken': 'It did not take effect, so it can be run again.',
  unknown:
    'Whether it took effect is not known yet. The same request sent again, or its entry in the history, will tell.',
}

export function cutOff(why: string, effect: EffectKnown): Ending {
  const message = `${why} ${CUT_OFF[effect ?? 'reads']}`
  return { ...failed('Interrupted', message), state: 'interrupted', effect }
}

/** All ends but `lost`, of which the engine itself cannot say what became of the statement. */
export function endingOf(outcome: Exclude<Outcome, { state: 'lost' }>): Ending {
  const move = outcome.session
  switch (outcome.state) {
    case 'finished': {
      const { result, kept, profile, peakMemoryBytes } = outcome
      return { ...finished(result, move), kept, profile, peakMemoryBytes }
    }
    case 'failed': {
      const { kind, message, offset } = outcome.error
      return {
        ...failed(kind === 'unavailable' ? 'Unavailable' : 'QueryFailed', message, offset ?? null),
        move,
      }
    }
    case 'cancelled':
      return { ...cancelled('Stopped at your request.'), move }
  }
}
