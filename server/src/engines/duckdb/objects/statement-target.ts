import {
  type Statement,
  type StatementKind,
  namesIn,
  readDefinition,
  readStatement,
  withShorterLists,
} from '@boathouse/sql'
import type { ObjectUse } from '../../engine/objects.ts'
import type { WrittenName } from './names.ts'

// Rows and lists of constants name nothing, and DuckDB makes some 100 times as much of them.
const LONG = 8 * 1024

const ACTIONS: Partial<Record<StatementKind, ObjectUse['action']>> = {
  insert: 'insert',
  update: 'update',
  delete: 'delete',
  truncate: 'delete',
  merge: 'update',
  'alter-table': 'alter',
  'drop-table': 'drop',
}

export type Target = { readonly name: WrittenName; readonly action: ObjectUse['action'] }

const target = (parts: readonly string[], action: ObjectUse['action']): Target | null => {
  const [name, schema, catalog] = parts.toReversed()
  if (name === undefined) return null
  const place = { ...(catalog !== undefined && { catalog }), ...(schema !== undefined && { schema }) }
  return { name: { ...place, name }, action }
}

/** The table that a statement alters. */
export const definedBy = (statement: Statement): Target | null =>
  statement.kind === 'alter-table' ? target(readDefinition(statement)?.name ?? [], 'alter') : null

/** Words that stand before the name of the table that is changed. */
const BEFORE_TARGET =
  /^(alter|delete|drop|exists|from|if|ignore|insert|into|merge|only|or|replace|table|truncate|update)$/i

/** The table that a statement changes, by its first words. */
export function targetOf(statement: Statement): Target | null {
  const action = ACTIONS[statement.kind]
  if (!action) return null
  for (const { parts } of namesIn(statement))
    if (parts.length > 1 || !BEFORE_TARGET.test(parts[0] ?? '')) return target(parts, action)
  return null
}

/** The statement itself, or the one that it explains: to see the plan of something takes the same rights as to run it. */
export function explainedIn(sql: string): Statement {
  const whole = readStatement(sql)
  const statement = whole.explained ? readStatement(sql.slice(whole.explained.start)) : whole
  return sql.length > LONG ? readStatement(withShorterLists(statement)) : statement
}
