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

/** As MySQL numbers them: 'not supported', and what has no number of its own. */
const NOT_SUPPORTED = 1235
const ANY_NOTE = 1105

/** Of what was accepted without a meaning here. */
export const noticed = (messages: readonly string[]): Warning[] =>
  [...new Set(messages)].map((message) => ({ level: 'Warning', code: NOT_SUPPORTED, message }))

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

/** What the last statement of each connection has left, until its next one. In memory: it is gone with the process. */
export function createWarnings() {
  const known = new BoundedMap<readonly Warning[]>(MOST_KEPT)
  return {
    of: (connectionId: number): readonly Warning[] => known.get(String(connectionId)) ?? [],

    /** Of what was done beside the statements of the connection. */
    leave(connectionId: number, left: readonly Warning[]): void {
      if (left.length > 0) known.set(String(connectionId), shortened(left), left.length)
      else known.delete(String(connectionId))
    },

    ended(connectionId: number, statement: Statement, ending: Ending): void {
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
