import { quoteIdentifier } from '@boathouse/sql'
import type { Tab } from './editor-tab.ts'

/**
 * EDITOR-41, EDITOR-42: in statements that the user did not write, behind their first word: a comment before it would
 * not be part of the statement, and so not be seen in its history.
 */
export const CONSOLE_MARKER = '/* Boathouse console */'

/**
 * EDITOR-39, EDITOR-40: what brings a new connection to where its tab stands, in this order, as one text of its own
 * before the user's query. A connection remembers its place, so this is sent once for each. Null: nothing to do.
 */
export function preparationOf({ connId, catalog, database, warehouse }: Tab): string | null {
  if (connId > 0) return null
  const path = [catalog, database].filter(Boolean).map(quoteIdentifier).join('.')
  const statements = [
    warehouse && `SET ${CONSOLE_MARKER} WAREHOUSE ${quoteIdentifier(warehouse)}`,
    database && `USE ${CONSOLE_MARKER} ${path}`,
    catalog && !database && `SET ${CONSOLE_MARKER} CATALOG ${path}`,
  ].filter(Boolean)
  return statements.length === 0 ? null : statements.join(';\n')
}
