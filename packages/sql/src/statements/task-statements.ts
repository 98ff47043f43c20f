import { readSchedule, rest, type Schedule } from './materialized-view-statements.ts'
import type { Piece } from '../text/piece.ts'
import { openTokenReader } from '../text/token-reader.ts'

export interface SubmittedTask {
  /** As it is written, outermost first; empty: the service gives it one. */
  name: string[]
  /** Without it the task runs once. */
  schedule?: Schedule
  statement: string
  /** Where that begins in the text. */
  offset: number
}

export interface TaskName {
  name: string[]
  lenient: boolean
}

export interface TaskAlteration extends TaskName {
  change: 'pause' | 'resume'
}

/** SUBMIT TASK [name] [SCHEDULE [START ('time')] EVERY (INTERVAL n unit)] AS statement */
export function readSubmitTask(statement: Piece): SubmittedTask | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('SUBMIT', 'TASK')) return null
  const [first, second] = [reader.peek(), reader.peek(1)]
  const isUnnamed =
    (first === 'AS' && second !== 'AS') ||
    (first === 'SCHEDULE' && (second === 'START' || second === 'EVERY'))
  const name = isUnnamed ? [] : reader.qualifiedName()
  const schedule = name && reader.take('SCHEDULE') ? readSchedule(reader) : undefined
  if (name === null || schedule === null || !reader.take('AS')) return null
  const submitted = rest(reader)
  return (
    submitted && {
      name,
      ...(schedule ? { schedule } : {}),
      statement: submitted.text,
      offset: submitted.offset,
    }
  )
}

/** ALTER TASK [IF EXISTS] name PAUSE | SUSPEND | RESUME */
export function readAlterTask(statement: Piece): TaskAlteration | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('ALTER', 'TASK')) return null
  const lenient = reader.takeAll('IF', 'EXISTS')
  const name = reader.qualifiedName()
  const word = name && reader.take('PAUSE', 'SUSPEND', 'RESUME')
  if (!name || !word || reader.left() > 0) return null
  return { name, lenient, change: word === 'RESUME' ? 'resume' : 'pause' }
}

/** DROP TASK [IF EXISTS] name */
export function readDropTask(statement: Piece): TaskName | null {
  const reader = openTokenReader(statement)
  if (!reader.takeAll('DROP', 'TASK')) return null
  const lenient = reader.takeAll('IF', 'EXISTS')
  const name = reader.qualifiedName()
  return name && reader.left() === 0 ? { name, lenient } : null
}
