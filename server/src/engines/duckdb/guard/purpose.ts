import { StatementType } from '@duckdb/node-api'
import type { Purpose } from '../../engine/run.ts'
import { StatementRefused } from '../errors.ts'

const { ALTER, CREATE, CREATE_FUNC, DELETE, DROP, EXPLAIN, INSERT, LOGICAL_PLAN, MERGE_INTO } = StatementType
const { MULTI, RELATION, SELECT, TRANSACTION, UPDATE } = StatementType

const READING = [SELECT, EXPLAIN, RELATION, LOGICAL_PLAN]
const WRITING = [INSERT, UPDATE, DELETE, MERGE_INTO, CREATE, CREATE_FUNC, ALTER, DROP, MULTI]

const TYPES: Readonly<Record<Purpose, ReadonlySet<StatementType>>> = {
  reads: new Set(READING),
  writes: new Set([...WRITING, ...READING]),
  session: new Set([TRANSACTION]),
}

/** Two parsers, the sender's and DuckDB's, must agree on what a statement does before it is run. */
export function refuseMistaken(type: StatementType, takenFor: Purpose | null): void {
  if (takenFor === null || TYPES[takenFor].has(type)) return
  const message = `The engine reads this statement as ${StatementType[type]}, which is not allowed.`
  throw new StatementRefused({ kind: 'permission', message })
}
