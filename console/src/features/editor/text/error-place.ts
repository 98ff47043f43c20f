import { lineColumnAt } from '@boathouse/sql'
import type { Position } from '@boathouse/sql'
import type { Run } from '../running/run.ts'

export interface ErrorPlace extends Position {
  /** In the tab's text; `to` is behind the last character of the token. */
  readonly from: number
  readonly to: number
  readonly message: string
}

const TOKEN = /^(?:[\p{L}\p{N}_$]+|[^\s])/u

/** The current place of the text of the run: the tab may have been edited while it ran. Null when it is gone. */
function findText(text: string, run: Run): number | null {
  if (text.startsWith(run.sql, run.from)) return run.from
  const first = text.indexOf(run.sql)
  const isUnique = first >= 0 && !text.includes(run.sql, first + 1)
  return isUnique ? first : null
}

/** An error at the end of a text has no token to underline, so the one before it is taken. */
function tokenAt(text: string, offset: number): { from: number; to: number } {
  const token = TOKEN.exec(text.slice(offset, offset + 128))
  if (token) return { from: offset, to: offset + token[0].length }
  const before = text.slice(0, offset).trimEnd().length
  return { from: Math.max(0, before - 1), to: Math.max(before, Math.min(1, text.length)) }
}

/** The error of a run as a place in the tab's text as it is now. */
export function errorPlace(text: string, run: Run | undefined): ErrorPlace | null {
  const failed = run?.statements.find((statement) => statement.errPosition !== null)
  if (!run || !failed?.errPosition) return null
  const start = findText(text, run)
  if (start === null) return null
  const offset = Math.min(text.length, start + failed.errPosition.offset)
  return { ...tokenAt(text, offset), ...lineColumnAt(text, offset), message: failed.errMsg }
}
