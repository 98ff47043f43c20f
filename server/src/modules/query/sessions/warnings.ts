import { readShowWarnings, type Statement, systemVariables } from '@boathouse/sql'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { Ending, EndingError } from '../running/ending.ts'
import { errorNumberOf } from './error-numbers.ts'
import { ownRows } from './own-rows.ts'
import type { Answer } from './session-tools.ts'
import { unreadable } from './unreadable.ts'
import type { Warning } from './warning.ts'

/** Warnings of all connections together. */
const MOST_KEPT = 50_000
const LONGEST_MESSAGE = 1_000

/** As MySQL numbers what has no number of its own. */
const ANY_NOTE = 1105

const COUNTS = ['warning_count', 'error_count']

/** It asks for what the statement before it has left, and leaves that. */
const isDiagnostic = (statement: Statement): boolean =>
  statement.kind === 'show-warnings' || systemVariables(statement).some(({ name }) => COUNTS.includes(name))

const numberOf = ({ code, kind, detail }: EndingError): number =>
  errorNumberOf({ code, errorKind: kind, errorDetail: detail })[0]

const shortened = (warnings: readonly Warning[]): Warning[] =>
  warnings.map((one) => ({ ...one, message: one.message.slice(0, LONGEST_MESSAGE) }))

function leftBy({ error, notice, warnings = [] }: Ending): Warning[] {
  const left = [...warnings]
  if (notice) left.push({ level: 'Note', code: ANY_NOTE, message: notice })
  if (error) left.push({ level: 'Error', code: numberOf(error), message: error.message })
  return shortened(left)
}

/** What ROW_COUNT() and FOUND_ROWS() say behind a statement. */
export interface RowCounts {
  /** -1 of one that has a result. */
  readonly changed: number
  /** Of the last statement that had a result. Null: nobody has counted those behind its LIMIT, which it asked for. */
  readonly found: number | null
}

/** Before the first statement. */
export const NO_COUNTS: RowCounts = { changed: -1, found: 0 }
const COUNTS_ALL = /\bsql_calc_found_rows\b/i

function countsBehind(before: RowCounts, { text }: Statement, ending: Ending): RowCounts {
  const { result, rowsTaken, state } = ending
  if (state !== 'finished' || !result) return { ...before, changed: -1 }
  if (result.columns.length === 0 || result.rowsChanged !== null)
    return { ...before, changed: result.rowsChanged ?? 0 }
  const isCut = COUNTS_ALL.test(text) && /\blimit\b/i.test(text)
  return { changed: -1, found: isCut ? null : (rowsTaken ?? result.rows.length) }
}

/** What the last statement of each connection has left, until its next one. In memory: it is gone with the process. */
export function createWarnings() {
  const known = new BoundedMap<readonly Warning[]>(MOST_KEPT)
  const counts = new BoundedMap<RowCounts>(MOST_KEPT)
  const countsOf = (connectionId: number): RowCounts => counts.get(String(connectionId)) ?? NO_COUNTS
  return {
    countsOf,

    of: (connectionId: number): readonly Warning[] => known.get(String(connectionId)) ?? [],

    /** Of what was done beside the statements of the connection. */
    leave(connectionId: number, left: readonly Warning[]): void {
      if (left.length > 0) known.set(String(connectionId), shortened(left), left.length)
      else known.delete(String(connectionId))
    },

    ended(connectionId: number, statement: Statement, ending: Ending): void {
      counts.set(String(connectionId), countsBehind(countsOf(connectionId), statement, ending), 1)
      const left = leftBy(ending)
      if (left.length > 0) known.set(String(connectionId), left, left.length)
      else if (!isDiagnostic(statement)) known.delete(String(connectionId))
    },
  }
}

export type Warnings = ReturnType<typeof createWarnings>

const errorsIn = (warnings: readonly Warning[]) => warnings.filter(({ level }) => level === 'Error')

/** `@@warning_count` and `@@error_count`; null for any other variable. */
export function countOf(name: string, warnings: readonly Warning[]): string | null {
  if (name === 'warning_count') return String(warnings.length)
  return name === 'error_count' ? String(errorsIn(warnings).length) : null
}

export const showWarnings: Answer = async (statement, { warnings }) => {
  const show = readShowWarnings(statement)
  if (!show) throw unreadable('SHOW WARNINGS [LIMIT count] or SHOW COUNT(*) WARNINGS')
  const found = show.what === 'errors' ? errorsIn(warnings) : warnings
  if (show.counts)
    return {
      result: ownRows(
        [`@@session.${show.what === 'errors' ? 'error' : 'warning'}_count`],
        [[String(found.length)]],
      ),
    }
  const shown = found.slice(show.offset, show.limit === null ? undefined : show.offset + show.limit)
  return {
    result: ownRows(
      ['Level', 'Code', 'Message'],
      shown.map(({ level, code, message }) => [level, String(code), message]),
    ),
  }
}
