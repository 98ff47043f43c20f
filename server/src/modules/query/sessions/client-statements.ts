import { likeMatcher, readShow, type Statement, type StatementKind } from '@boathouse/sql'
import type { Answer, SessionEffect } from './session-tools.ts'
import { ownRows } from './own-rows.ts'
import { unreadable } from './unreadable.ts'

type Shown = readonly [columns: readonly string[], rows: readonly (readonly string[])[]]

/** What clients of other servers ask for when they connect: there is one character set. */
const SHOWN = {
  'show-character-sets': [
    ['Charset', 'Description', 'Default collation', 'Maxlen'],
    [['utf8mb4', 'UTF-8 Unicode', 'utf8mb4_bin', '4']],
  ],
  'show-collations': [
    ['Collation', 'Charset', 'Id', 'Default', 'Compiled', 'Sortlen'],
    [['utf8mb4_bin', 'utf8mb4', '46', 'Yes', 'Yes', '1']],
  ],
} as const satisfies Partial<Record<StatementKind, Shown>>

const answer =
  ([columns, rows]: Shown): Answer =>
  async (statement: Statement): Promise<SessionEffect> => {
    const show = readShow(statement)
    if (!show) throw unreadable()
    const isLike = likeMatcher(show.like)
    return {
      result: ownRows(
        columns,
        rows.filter(([name]) => isLike(name ?? '')).map((row) => [...row]),
      ),
    }
  }

export const CLIENT_STATEMENTS: Partial<Record<StatementKind, Answer>> = Object.fromEntries(
  Object.entries(SHOWN).map(([kind, shown]) => [kind, answer(shown)]),
)
