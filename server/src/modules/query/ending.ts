import type { CodeName, EngineErrorKind } from '@boathouse/contract'
import { tokenize, unquoteIdentifier } from '@boathouse/sql'
import {
  EngineUnavailable,
  type KeptResult,
  type Outcome,
  type ProfileNode,
  type ResultRows,
  SessionRefused,
} from '../../engines/engine.ts'
import { AppError } from '../../kernel/app-error.ts'
import { DISK_FULL, isDiskFull, saysDiskFull } from '../../kernel/disk-full.ts'
import type { ConnectionChange } from './connections.ts'
import type { StatementEnd } from './store.ts'

/** Whether a statement that writes took effect; null for one that reads. */
export type EffectKnown = 'taken' | 'not taken' | 'unknown' | null

/** How one statement ended, before it is written down and told. */
export interface Ending {
  readonly state: StatementEnd['state']
  readonly code: CodeName
  readonly message: string
  /** Null when it is not the engine that says what is wrong. */
  readonly errorKind: EngineErrorKind | null
  readonly offset: number | null
  readonly result: ResultRows | null
  readonly effect: EffectKnown
  readonly kept: KeptResult | null
  readonly profile: ProfileNode | null
  readonly peakMemoryBytes: number | null
  /** Of the values handed over; null when no engine handed over any. */
  readonly bytes: number | null
  /** Decimal text; null when no warehouse was used. */
  readonly costCcu: string | null
  readonly notice: string
  readonly move?: ConnectionChange
}

const NOTHING = {
  errorKind: null,
  effect: null,
  kept: null,
  profile: null,
  peakMemoryBytes: null,
  bytes: null,
  costCcu: null,
  notice: '',
} as const

export const finished = (result: ResultRows, move?: Ending['move']): Ending => ({
  state: 'finished',
  code: 'Ok',
  message: '',
  offset: null,
  result,
  ...NOTHING,
  ...(move ? { move } : {}),
})

export const failed = (code: CodeName, message: string, offset: number | null = null): Ending => ({
  state: 'failed',
  code,
  message,
  offset,
  result: null,
  ...NOTHING,
})

export const cancelled = (message: string): Ending => ({
  ...failed('Cancelled', message),
  state: 'cancelled',
})

type CutOff = 'reads' | 'draws' | 'service' | 'taken' | 'not taken' | 'unknown'

/** What is said of a statement that was cut off, by what is known of its effect. */
export const CUT_OFF: Readonly<Record<CutOff, string>> = {
  reads: 'It only reads, so it can simply be run again.',
  draws:
    'It changes no table, but it may have drawn from a sequence: run again, it draws the numbers that follow.',
  service: 'Look whether it took effect before you run it again.',
  taken: 'It took effect completely.',
  'not taken': 'It did not take effect, so it can be run again.',
  unknown:
    'Whether it took effect is not known yet. The same request sent again, or its entry in the history, will tell.',
}

/** Of a statement that reads: nextval is the one thing by which it leaves a trace. */
export function readsOrDraws(sql: string): 'reads' | 'draws' {
  const tokens = tokenize(sql).filter(({ kind }) => kind !== 'whitespace' && kind !== 'comment')
  const textOf = (at: number): string => {
    const token = tokens[at]
    return token ? unquoteIdentifier(sql.slice(token.start, token.end)).toLowerCase() : ''
  }
  return tokens.some((_, at) => textOf(at) === 'nextval' && textOf(at + 1) === '(') ? 'draws' : 'reads'
}

/** `words` for one whose effect is not remembered by the engine. */
export function cutOff(why: string, effect: EffectKnown, words: CutOff = 'reads'): Ending {
  const message = `${why} ${CUT_OFF[effect ?? words]}`
  return { ...failed('Interrupted', message), state: 'interrupted', effect }
}

/** Engines tell it as a reason or as a sentence. */
const reasonIn = (message: string): string => message.replace(/^The engine has ended: |\.$/g, '')

/** The engine was gone before the statement came to it. What the session had there is lost, and not told yet. */
export const notRun = (message: string): Ending => ({
  ...failed(
    'Unavailable',
    `The engine ended before this statement ran (${reasonIn(message)}). Nothing of it was run: run it again.`,
  ),
  errorKind: 'unavailable',
})

/** A statement of ours on behalf of one of the user's has ended so, and the user's ends with it. */
export class DidNotFinish extends Error {
  override readonly name = 'DidNotFinish'

  constructor(readonly ending: Ending) {
    super(ending.message)
  }
}

const withoutRoom = (): Ending => ({ ...failed('DiskFull', DISK_FULL), errorKind: 'resource' })

/** All ends but `lost`, of which the engine itself cannot say what became of the statement. */
export function endingOf(outcome: Exclude<Outcome, { state: 'lost' }>): Ending {
  const { session: move, peakMemoryBytes = null } = outcome
  switch (outcome.state) {
    case 'finished': {
      const { result, bytes, kept, profile, peakMemoryBytes } = outcome
      return { ...finished(result, move), bytes, kept, profile, peakMemoryBytes }
    }
    case 'failed': {
      const { kind, message, offset } = outcome.error
      if (saysDiskFull(message)) return { ...withoutRoom(), move }
      return kind === 'unavailable'
        ? notRun(message)
        : { ...failed('QueryFailed', message, offset ?? null), errorKind: kind, move, peakMemoryBytes }
    }
    case 'cancelled':
      return { ...cancelled('Stopped at your request.'), move, peakMemoryBytes }
  }
}

/** Null for an error that nobody foresaw. */
export function endingOfError(error: unknown): Ending | null {
  if (error instanceof DidNotFinish) return error.ending
  if (isDiskFull(error)) return withoutRoom()
  if (error instanceof AppError)
    return error.code === 'Cancelled' ? cancelled(error.message) : failed(error.code, error.message)
  if (error instanceof SessionRefused)
    return { ...failed('QueryFailed', error.error.message), errorKind: error.error.kind }
  if (error instanceof EngineUnavailable)
    return {
      ...failed('Unavailable', `${error.message} Nothing of this statement was run: run it again.`),
      errorKind: 'unavailable',
    }
  return null
}
