import type { BoundValues } from '@boathouse/contract/parameters'
import { PROFILE_HINT, readStatement, statementAt } from '@boathouse/sql'

export interface TextSelection {
  readonly from: number
  readonly to: number
  /** Where the cursor is: one end of the selection. */
  readonly head: number
}

export interface RunTarget {
  readonly sql: string
  /** Of `sql` in the tab's text. */
  readonly from: number
  /** For its parameters; missing: it has none. */
  readonly values?: BoundValues | undefined
}

/** To analyse is to run it, and to see where time and rows went instead of the rows; `profile` shows the rows, too. */
export type RunMode = 'statement' | 'all' | 'explain' | 'analyse' | 'profile'

const target = (text: string, from: number): RunTarget | null =>
  text.trim() === '' ? null : { sql: text, from }

const WORDS = { explain: 'EXPLAIN ', analyse: 'EXPLAIN ANALYZE ' } as const

/** The statement keeps its place, so that errors are marked there. One EXPLAIN is enough. */
function explained({ sql, from }: RunTarget, mode: keyof typeof WORDS): RunTarget {
  const start = readStatement(sql).explained?.start ?? 0
  return { sql: WORDS[mode] + sql.slice(start), from: from + start - WORDS[mode].length }
}

/** A query with the hint behind its first word, so that places behind it are where they were. */
function hinted({ sql, from }: RunTarget): RunTarget {
  const [first] = /^\s*\w+/.exec(sql) ?? []
  if (first === undefined || readStatement(sql).kind !== 'select') return { sql, from }
  const hint = ` ${PROFILE_HINT}`
  return { sql: first + hint + sql.slice(first.length), from: from - hint.length }
}

/** The selection, else the statement at the cursor; or everything. Null: there is nothing to run. */
export function runTarget(text: string, selection: TextSelection, mode: RunMode): RunTarget | null {
  if (mode === 'all') return target(text, 0)
  if (mode !== 'statement') {
    const asked = runTarget(text, selection, 'statement')
    return asked && (mode === 'profile' ? hinted(asked) : explained(asked, mode))
  }
  const selected = target(text.slice(selection.from, selection.to), selection.from)
  if (selected) return selected
  const statement = statementAt(text, selection.head)
  return statement && { sql: statement.text, from: statement.start }
}
