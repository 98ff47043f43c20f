import type { StatementAnswer } from '../../modules/query/answers/answer.ts'
import { sqlErrorOf } from './errors.ts'
import type { ToDoor } from './link/messages.ts'

type Ended = Extract<ToDoor, { readonly kind: 'ended' }>

/** What a client is sent of the end of a statement, beside the state of its session. */
export type StatementOutcome = Pick<Ended, 'error' | 'affectedRows' | 'lastInsertId' | 'warnings' | 'info'>

/** Two bytes of the protocol. */
export const MOST_WARNINGS = 65_535

/** What may leave out rows, or change others: then the rows that were changed are not the records of the statement. */
const LEAVES_OUT = /\b(?:ignore|replace|conflict|duplicate)\b/i

/** As MySQL words it for people; empty where it would say nothing, or what is not known. */
function infoOf({ kind, result, warnings }: StatementAnswer, text: string): string {
  const rows = result?.rowsChanged ?? null
  if (rows === null) return ''
  if (kind === 'update') return `Rows matched: ${rows}  Changed: ${rows}  Warnings: ${warnings}`
  const isPlain = /^\s*insert\b/i.test(text) && !LEAVES_OUT.test(text)
  if (kind === 'insert' && rows > 1 && isPlain)
    return `Records: ${rows}  Duplicates: 0  Warnings: ${warnings}`
  return kind === 'create-table' ? `Records: ${rows}  Duplicates: 0  Warnings: ${warnings}` : ''
}

/**
 * `text` is the statement as it was sent. No statement here says which number a row was given, so that the last insert id
 * is 0, as MySQL says of a table without one.
 */
export function outcomeOf(answer: StatementAnswer, text: string): StatementOutcome {
  return {
    error: answer.state === 'failed' ? sqlErrorOf(answer) : null,
    affectedRows: Math.max(0, answer.result?.rowsChanged ?? 0),
    lastInsertId: 0,
    warnings: Math.min(MOST_WARNINGS, answer.warnings),
    info: answer.state === 'failed' ? '' : infoOf(answer, text),
  }
}
