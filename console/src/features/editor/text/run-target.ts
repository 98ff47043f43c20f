import { statementAt } from '@boathouse/sql'

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
}

export type RunMode = 'statement' | 'all' | 'explain'

const target = (text: string, from: number): RunTarget | null =>
  text.trim() === '' ? null : { sql: text, from }

const EXPLAIN = 'EXPLAIN '

/** What is asked about stands where it stood, so that errors are marked there. */
const explained = ({ sql, from }: RunTarget): RunTarget => ({
  sql: EXPLAIN + sql,
  from: from - EXPLAIN.length,
})

/** The selection, else the statement at the cursor; or everything. Null: there is nothing to run. */
export function runTarget(text: string, selection: TextSelection, mode: RunMode): RunTarget | null {
  if (mode === 'all') return target(text, 0)
  if (mode === 'explain') {
    const asked = runTarget(text, selection, 'statement')
    return asked && explained(asked)
  }
  const selected = target(text.slice(selection.from, selection.to), selection.from)
  if (selected) return selected
  const statement = statementAt(text, selection.head)
  return statement && { sql: statement.text, from: statement.start }
}
