import { LIMITS } from '@boathouse/contract'
import { STATEMENT_KINDS, type StatementKind } from '@boathouse/sql'
import type { ProfileNode } from '../../../engines/engine/outcome.ts'
import type { ResultRows } from '../../../engines/engine/rows.ts'
import { EMPTY_RESULT } from '../answers/answer.ts'
import type { Needed } from '../gate/authorize-statement.ts'
import { CUT_OFF, type EffectKnown, type Ending, type EndingError } from '../running/ending.ts'
import type { EndedRow } from '../statement-writes-store.ts'
import type { StatementKey, StatementRow } from '../statement-row.ts'

const HOUR_MS = 3_600_000

/** A number that no engine can mean must not keep the end from being written. */
const countOf = (count: number): number | null => (Number.isSafeInteger(count) && count >= 0 ? count : null)

const microsOf = (ms: number | null | undefined): number | null => (ms == null ? null : Math.round(1000 * ms))
export const msOf = (micros: number | null): number | null => (micros === null ? null : micros / 1000)

/** Of a message of an engine, which may repeat what it was sent. */
const LONGEST_MESSAGE = 16 * 1024
const cut = (message: string): string =>
  message.length <= LONGEST_MESSAGE ? message : `${message.slice(0, LONGEST_MESSAGE)}…`
/** When it ended and what it took: null of one whose turn never came. */
export interface EndedAt {
  readonly at: Date
  readonly timeUsedMs: number | null
}

/** An ending as it is written down: everything but its rows, which are kept as a file or not at all. */
export function endedRow(
  { queryId, acceptedAt }: StatementKey,
  ending: Ending,
  { at, timeUsedMs }: EndedAt,
): EndedRow {
  const { kept, result } = ending
  return {
    query_id: queryId,
    accepted_at: acceptedAt,
    state: ending.state,
    ended_at: at,
    duration_us: microsOf(timeUsedMs),
    row_count: result && countOf(result.rowsChanged ?? ending.rowsTaken ?? result.rows.length),
    error: ending.error && { ...ending.error, message: cut(ending.error.message) },
    effect: ending.effect === 'untold' ? null : ending.effect,
    peak_memory_bytes: ending.peakMemoryBytes,
    compile_us: microsOf(ending.measured?.compileMs),
    fetch_us: microsOf(ending.measured?.fetchMs),
    peak_spill_bytes: ending.measured?.peakSpillBytes ?? null,
    shown_bytes: ending.bytes,
    engine: ending.engineId ?? null,
    profile: ending.profile,
    plan: ending.plan ?? null,
    result_state: kept ? 'kept' : 'none',
    result_rows: kept?.rows ?? null,
    result_complete: kept?.complete ?? null,
    result_columns: kept ? (result?.columns ?? []) : null,
    needed: ending.needed ?? [],
    result_expires_at: kept && new Date(at.getTime() + LIMITS.keptHours * HOUR_MS),
  }
}

/** Of what is in a row, what its error is made of. */
type Explained = Pick<StatementRow, 'error' | 'effect' | 'state' | 'writes' | 'started_at' | 'kind' | 'sql'>

/** Of one that wrote. Nothing is written down where nobody can ever tell. */
const effectIn = ({ effect }: Pick<StatementRow, 'effect'>): NonNullable<EffectKnown> =>
  (effect as EffectKnown) ?? 'untold'

/**
 * Of a statement whose server ended with it, nothing was written at its end: the words are made here. Of a text that was
 * cut it is not known whether it draws from a sequence, so that it may.
 */
function interruption(row: Explained, isCut: boolean): string {
  if (row.started_at === null) return `The service ended before this statement ran. ${CUT_OFF['not taken']}`
  const isReading = !row.writes && STATEMENT_KINDS[row.kind as StatementKind] === 'reads'
  // A long history is read at once: a word in a comment counts as a call here.
  const reading = isCut || /\bnextval\b/i.test(row.sql) ? 'draws' : 'reads'
  return `The service ended while this statement ran. ${CUT_OFF[isReading ? reading : effectIn(row)]}`
}

/** Since an end was written, the engine may have said what became of the statement. */
const asKnownNow = (message: string, row: Explained): string =>
  row.effect === 'unknown' ? message : message.replace(CUT_OFF.unknown, CUT_OFF[effectIn(row)])

/** Why it did not finish, as far as it is known now; null when it did. */
export function errorIn(row: Explained, isCut = false): EndingError | null {
  const written = row.error as EndingError | null
  if (written) return { ...written, kind: written.kind ?? null, message: asKnownNow(written.message, row) }
  if (row.state === 'finished') return null
  return { code: 'Interrupted', message: interruption(row, isCut), offset: null, kind: null }
}

/** Of before this was written down, and of one that was cut off, it is not known: then it is all. */
export const neededIn = ({ needed }: Pick<StatementRow, 'needed'>): Needed =>
  (needed as Needed | null) ?? 'all'

/** Any other row was cut off. */
const ENDED = ['finished', 'failed', 'cancelled'] as const

const ROWS_GONE = 'This statement finished, but its rows are no longer kept. Run it again to see them.'

const resultIn = (row: StatementRow): ResultRows => ({
  ...EMPTY_RESULT,
  rowsChanged: row.writes ? row.row_count : null,
  truncated: (row.result_rows ?? 0) > (row.row_count ?? 0) || row.result_complete === false,
})

function measuredIn(row: StatementRow): Ending['measured'] {
  const { compile_us, fetch_us, peak_spill_bytes: peakSpillBytes } = row
  if (compile_us === null && fetch_us === null && peakSpillBytes === null) return null
  return { compileMs: msOf(compile_us), fetchMs: msOf(fetch_us), peakSpillBytes }
}

/** The ending that was written down, perhaps in another server's life: everything but its rows. */
export function endingIn(row: StatementRow): Ending {
  const isFinished = row.state === 'finished'
  const isKept = row.result_state === 'kept'
  return {
    state: ENDED.find((state) => state === row.state) ?? 'interrupted',
    error: errorIn(row),
    result: isFinished ? resultIn(row) : null,
    effect: row.effect as EffectKnown,
    kept: isKept
      ? { rows: row.result_rows ?? 0, complete: row.result_complete ?? false, bytes: row.result_bytes ?? 0 }
      : null,
    profile: row.profile as ProfileNode | null,
    peakMemoryBytes: row.peak_memory_bytes,
    measured: measuredIn(row),
    bytes: row.shown_bytes,
    needed: neededIn(row),
    notice: isFinished && !isKept && !row.writes ? ROWS_GONE : '',
  }
}
