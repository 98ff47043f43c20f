import type { CodeName, EngineErrorKind } from '@boathouse/contract'
import type { Described } from '../../../engines/engine/describing.ts'
import type { Defined, KeptResult, Measured, Outcome, ProfileNode } from '../../../engines/engine/outcome.ts'
import { EngineUnavailable } from '../../../engines/engine/engine.ts'
import type { ResultRows } from '../../../engines/engine/rows.ts'
import { SessionRefused } from '../../../engines/engine/session.ts'
import type { ObjectChange } from '../../../engines/engine/objects.ts'
import type { Statement } from '@boathouse/sql'
import { AppError } from '../../../kernel/app-error.ts'
import type { ErrorDetail } from '../../../kernel/error-detail.ts'
import { DISK_FULL, isDiskFull } from '../../../kernel/disk-full.ts'
import type { Needed } from '../gate/authorize-statement.ts'
import type { ConnectionChange } from '../sessions/connection.ts'
import { noticed, type Warning } from '../sessions/warning.ts'

/**
 * Whether a statement that writes took effect; null for one that reads. `unknown`: the engine will tell; `untold`: it is
 * of a kind that does not remember, and nobody ever will.
 */
export type EffectKnown = 'taken' | 'not taken' | 'unknown' | 'untold' | null

/** Why a statement did not finish. */
export interface EndingError {
  readonly code: CodeName
  readonly message: string
  /** Place in the statement's own text. */
  readonly offset: number | null
  /** Null when it is not the engine that says what is wrong. */
  readonly kind: EngineErrorKind | null
  /** What is the matter, where the kind is too coarse. */
  readonly detail?: ErrorDetail | undefined
}

/** The end of a statement, and the connection as it left it. */
export interface EndedIn {
  readonly statement: Pick<Statement, 'kind'>
  readonly ending: Pick<Ending, 'state' | 'effect'>
  readonly after: { readonly id: number; readonly inTransaction: boolean }
}

/**
 * How one statement ended. What running makes of the engine's outcome is sent to listeners, written down, and read again
 * when somebody asks later (`history/ended-row.ts`).
 */
export interface Ending {
  readonly state: 'finished' | 'failed' | 'cancelled' | 'interrupted'
  /** Null when it finished. */
  readonly error: EndingError | null
  readonly result: ResultRows | null
  readonly effect: EffectKnown
  readonly kept: KeptResult | null
  readonly profile: ProfileNode | null
  /** Of an EXPLAIN, what it answered. */
  readonly plan?: string
  readonly peakMemoryBytes: number | null
  /** Null when no engine has measured anything. */
  readonly measured: Measured | null
  /** Of the values handed over; null when no engine handed over any. */
  readonly bytes: number | null
  /** How many rows a sink has taken, which are then not in `result`; missing without one. */
  readonly rowsTaken?: number
  /** Of one that was only described. */
  readonly described?: Described
  /** Which kind of engine ran it; missing when none did. */
  readonly engineId?: string
  readonly notice: string
  /** What SHOW WARNINGS says of it. */
  readonly warnings?: readonly Warning[]
  /** Why the engine ended under it, when that was not because this one would not stop. */
  readonly engineLost?: string
  readonly move?: ConnectionChange
  /** The privileges that it asked for; missing of one that needs none. */
  readonly needed?: Needed
  /** What ran instead of the statement itself, as for an EXECUTE. */
  readonly performed?: Statement
  /** What it created, dropped or renamed, as far as the engine says. */
  readonly changed?: readonly ObjectChange[]
  /** What it altered, and whether the engine says all of it. */
  readonly defined?: Defined
}

const NOTHING = {
  effect: null,
  kept: null,
  profile: null,
  peakMemoryBytes: null,
  measured: null,
  bytes: null,
  notice: '',
} as const

export const finished = (result: ResultRows, move?: Ending['move']): Ending => ({
  state: 'finished',
  error: null,
  result,
  ...NOTHING,
  ...(move ? { move } : {}),
})

export const failed = (code: CodeName, message: string, offset: number | null = null): Ending => ({
  state: 'failed',
  error: { code, message, offset, kind: null },
  result: null,
  ...NOTHING,
})

/** Of a statement that is refused before it runs. */
export const refused = ({
  code,
  message,
  offset,
  detail,
}: Pick<EndingError, 'code' | 'message' | 'offset' | 'detail'>): Ending =>
  withError(failed(code, message, offset), { detail })

/** The same end with something else said of why. */
export const withError = (ending: Ending, change: Partial<EndingError>): Ending => ({
  ...ending,
  error: ending.error && { ...ending.error, ...change },
})

/** The end of a transaction that had to come first did not finish, and so neither did the statement behind it. */
export const notBegun = (ending: Ending): Ending => ({
  ...withError(ending, {
    message: `The open transaction ends before this statement. ${ending.error?.message ?? ''} This statement did not run.`,
    offset: null,
  }),
  effect: ending.effect === null ? null : 'not taken',
})

export const cancelled = (message: string): Ending => ({
  ...failed('Cancelled', message),
  state: 'cancelled',
})

type CutOff = 'reads' | 'draws' | NonNullable<EffectKnown>

/** What is said of a statement that was cut off, by what is known of its effect. */
export const CUT_OFF: Readonly<Record<CutOff, string>> = {
  reads: 'It only reads, so you can run it again.',
  draws:
    'It changes no table, but it may have used numbers of a sequence. If you run it again, it uses the next ones.',
  untold: 'Check whether it took effect before you run it again.',
  taken: 'It took effect completely.',
  'not taken': 'It did not take effect, so you can run it again.',
  unknown:
    'Whether it took effect is not known yet. Send the same request again or open its entry in the history to see.',
}

/** `words` for one whose effect is not remembered by the engine. */
export function cutOff(why: string, effect: EffectKnown, words: CutOff = 'reads'): Ending {
  const message = `${why} ${CUT_OFF[effect ?? words]}`
  return { ...failed('Interrupted', message), state: 'interrupted', effect }
}

const HAS_ENDED = /^The engine has ended: /

/**
 * The engine was gone before the statement came to it, or cannot be reached, which it says as a sentence. What the session had there
 * is lost, and its user does not know yet.
 */
export function notRun(message: string): Ending {
  const reason = message.replace(HAS_ENDED, '').replace(/\.$/, '')
  const why = HAS_ENDED.test(message)
    ? `The engine ended before this statement ran (${reason}). It did not run.`
    : `${reason}. This statement did not run.`
  const ending = withError(failed('Unavailable', `${why} Run it again.`), { kind: 'unavailable' })
  return { ...ending, engineLost: reason }
}

/** A statement of ours on behalf of one of the user's has ended so, and the user's ends with it. */
export class DidNotFinish extends Error {
  override readonly name = 'DidNotFinish'

  constructor(readonly ending: Ending) {
    super(ending.error?.message)
  }
}

const withDetail = (ending: Ending, detail: ErrorDetail | undefined): Ending =>
  detail ? withError(ending, { detail }) : ending

const withoutRoom = (): Ending =>
  withError(failed('DiskFull', DISK_FULL), { kind: 'resource', detail: 'disk-full' })

/** All ends but `lost`, of which the engine itself cannot say what became of the statement. */
export function endingOf(outcome: Exclude<Outcome, { state: 'lost' }>): Ending {
  const { session: move, peakMemoryBytes = null, measured = null } = outcome
  switch (outcome.state) {
    case 'finished': {
      const { result, bytes, kept, profile, changed, defined, described, warnings } = outcome
      const figures = { bytes, peakMemoryBytes, measured }
      const facts = {
        ...(changed && { changed }),
        ...(defined && { defined }),
        ...(described && { described }),
        ...(warnings && { warnings: noticed(warnings) }),
      }
      return { ...finished(result, move), ...figures, kept, profile, ...facts }
    }
    case 'failed': {
      const { kind, message, offset, code: detail } = outcome.error
      if (detail === 'disk-full') return { ...withoutRoom(), move }
      if (kind === 'unavailable') return notRun(message)
      const ending = withError(failed('QueryFailed', message, offset ?? null), { kind, detail })
      return { ...ending, move, peakMemoryBytes, measured }
    }
    case 'cancelled':
      return { ...cancelled('Stopped at your request.'), move, peakMemoryBytes, measured }
  }
}

/** Null for an error that nobody foresaw. */
export function endingOfError(error: unknown): Ending | null {
  if (error instanceof DidNotFinish) return error.ending
  if (isDiskFull(error)) return withoutRoom()
  if (error instanceof AppError)
    return error.code === 'Cancelled'
      ? cancelled(error.message)
      : withDetail(failed(error.code, error.message), error.detail)
  if (error instanceof SessionRefused)
    return withError(failed('QueryFailed', error.error.message), {
      kind: error.error.kind,
      detail: error.error.code,
    })
  if (error instanceof EngineUnavailable)
    return withError(failed('Unavailable', `${error.message} This statement did not run. Run it again.`), {
      kind: 'unavailable',
    })
  return null
}
