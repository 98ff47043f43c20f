import { BoathouseError, type Result, type Session, StatementError } from '@boathouse/client/public/index'
import type { Format } from './options.ts'
import { printRows, type Screen, write } from './output/printer.ts'
import { createProgressLine } from './output/progress.ts'
import { safeLines, safeText } from './output/safe-text.ts'

export interface Running {
  readonly session: Session
  readonly format: Format
  readonly out: Screen
  readonly err: Screen
  readonly signal: AbortSignal
}

export type Ending = 'done' | 'failed' | 'stopped'

const NUMBERS = new Intl.NumberFormat('en')

const counted = (count: number): string => `${NUMBERS.format(count)} ${count === 1 ? 'row' : 'rows'}`
const time = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`)

function summary(result: Result, rows: number): string {
  if (result.fields.length === 0)
    return result.rowsChanged
      ? `OK, ${counted(result.rowsChanged)} changed (${time(result.timeMs)})`
      : `OK (${time(result.timeMs)})`
  if (!result.isComplete) return `(the first ${counted(rows)}, there are more; ${time(result.timeMs)})`
  return `(${counted(rows)}, ${time(result.timeMs)})`
}

/** The line of the text that the error is in, with a sign below its place. */
function placeIn(sql: string, { position }: StatementError): string {
  const line = position && sql.split('\n')[position.line - 1]
  if (!position || line === null || line === undefined) return ''
  const before = safeText(line.slice(0, position.column - 1)).slice(-60)
  const after = safeText(line.slice(position.column - 1)).slice(0, 60)
  const label = `LINE ${position.line}: `
  return `${label}${before}${after}\n${' '.repeat(label.length + before.length)}^\n`
}

export function problemText(error: unknown, sql = ''): string {
  if (error instanceof StatementError)
    return `ERROR ${error.code} ${error.codeName}: ${safeLines(error.message)}\n${placeIn(sql, error)}`
  if (error instanceof BoathouseError) return `ERROR ${error.codeName}: ${safeLines(error.message)}\n`
  return `ERROR: ${safeLines(error instanceof Error ? error.message : String(error))}\n`
}

async function print(result: Result, { format, out, err }: Running): Promise<void> {
  const rows = result.fields.length === 0 ? 0 : await printRows(result, { format, to: out })
  // Files and pipes get rows alone, so that programs can read them.
  const isForPeople = format === 'table' || format === 'vertical'
  if (isForPeople) await write(out, `${summary(result, rows)}\n`)
  if (result.notice !== '') await write(err, `${safeLines(result.notice)}\n`)
}

/** Runs one statement and writes what became of it. What is not the statement's fault is thrown. */
export async function runStatement(sql: string, running: Running): Promise<Ending> {
  const { session, signal, err } = running
  const progress = createProgressLine(err)
  try {
    const result = await session.run(sql, { signal, onProgress: progress.heard })
    progress.end()
    await print(result, running)
    return 'done'
  } catch (error) {
    progress.end()
    if (signal.aborted) {
      await write(err, 'Stopped.\n')
      return 'stopped'
    }
    if (!(error instanceof BoathouseError)) throw error
    await write(err, problemText(error, sql))
    return 'failed'
  }
}
