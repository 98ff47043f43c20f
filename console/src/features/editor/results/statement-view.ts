import { type Field, QUERY_STATES, type Row } from '@boathouse/contract/realtime'
import { kindOf } from '@boathouse/sql'
import type { StatementKind } from '@boathouse/sql'
import { isAsked, isFinal, isSkipped, isStopped } from '../running/run.ts'
import type { Run, StatementResult } from '../running/run.ts'

/** What the result area shows for one statement. */
export type StatementView =
  | 'asked'
  | 'held'
  | 'waiting'
  | 'queued'
  | 'running'
  | 'stopped'
  | 'skipped'
  | 'failed'
  | 'plan'
  | 'rows'
  | 'done'

const CHANGING = new Set<StatementKind>(['insert', 'update', 'delete', 'merge', 'truncate'])

/** Rows changed by a statement that writes; null for any other. Some engines answer them as a column. */
export function rowsChanged({ sql, fields, rows, totalRows }: StatementResult): number | null {
  if (!CHANGING.has(kindOf(sql))) return null
  if (fields.length === 0) return totalRows
  const isCount = fields.length === 1 && fields[0]?.name === 'Count' && rows.length === 1
  return isCount ? Number(rows[0]?.[0] ?? 0) : null
}

export function statementView(run: Run, statement: StatementResult | undefined): StatementView {
  if (run.held !== null) return 'held'
  if (isAsked(run) && !(statement && isFinal(statement.state))) return 'asked'
  if (!statement) return 'waiting'
  if (isSkipped(run, statement)) return 'skipped'
  if (isStopped(run, statement)) return 'stopped'
  if (statement.state === QUERY_STATES.Failed) return 'failed'
  if (statement.state !== QUERY_STATES.Finished) return statement.queuePlace === null ? 'running' : 'queued'
  if ((statement.fields.length === 0 && !statement.isKept) || rowsChanged(statement) !== null) return 'done'
  return kindOf(statement.sql) === 'explain' ? 'plan' : 'rows'
}

/**
 * A plan is one text, whether the engine answers it line by line or as rows of a name and a text. The name says nothing
 * that the text does not.
 */
export const mergePlan = (fields: readonly Field[], rows: readonly Row[]): string =>
  rows.map((row) => row[fields.length - 1] ?? '').join('\n')

/** The statement whose result is shown: the chosen one, else the first that failed, else the last one that started. */
export function shownIndex(run: Run, chosen: number | null): number {
  if (chosen !== null && chosen < (run.statementCount ?? 1)) return chosen
  const failed = run.statements.find(({ state }) => state === QUERY_STATES.Failed)
  return (failed ?? run.statements.at(-1))?.index ?? 0
}

export type OutcomeKey =
  | 'inserted'
  | 'updated'
  | 'deleted'
  | 'changed'
  | 'created'
  | 'dropped'
  | 'altered'
  | 'done'

const BY_KIND: Partial<Record<StatementKind, OutcomeKey>> = {
  insert: 'inserted',
  update: 'updated',
  delete: 'deleted',
  truncate: 'deleted',
  merge: 'changed',
}

/** Which sentence says what a statement without rows did. */
export function outcomeKey(sql: string): OutcomeKey {
  const kind = kindOf(sql)
  const counted = BY_KIND[kind]
  if (counted) return counted
  if (kind.startsWith('create-')) return 'created'
  if (kind.startsWith('drop-')) return 'dropped'
  return kind.startsWith('alter-') ? 'altered' : 'done'
}
