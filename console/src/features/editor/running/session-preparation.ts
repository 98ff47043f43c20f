import { CONSOLE_MARKER } from '@boathouse/contract/console-marker'
import { LIMITS, NO_SELECT_LIMIT } from '@boathouse/contract/limits'
import { kindOf, quoteIdentifier } from '@boathouse/sql'
import type { Tab } from '../tabs/editor-tab.ts'
import type { Run } from './run.ts'

/**
 * The statements that bring a new connection to the place of its tab, in this order, as one text before the user's
 * query. A connection keeps its place, so this is sent once for each. Null: nothing to do.
 */
export function preparationOf({ isPrepared, catalog, database, warehouse }: Tab): string | null {
  if (isPrepared) return null
  const path = [catalog, database].filter(Boolean).map(quoteIdentifier).join('.')
  const statements = [
    `SHOW ${CONSOLE_MARKER} VARIABLES`,
    warehouse && `SET ${CONSOLE_MARKER} WAREHOUSE ${quoteIdentifier(warehouse)}`,
    database && `USE ${CONSOLE_MARKER} ${path}`,
    catalog && !database && `SET ${CONSOLE_MARKER} CATALOG ${path}`,
  ].filter(Boolean)
  return statements.join(';\n')
}

/**
 * What must follow, now that the variables of the connection are known. More rows than usual are computed only where
 * the user has chosen so. Null: nothing.
 */
export function limitOf({ statements }: Run, rowLimit = ''): string | null {
  const shown = statements.find(({ sql }) => kindOf(sql) === 'show-variables')
  const value = shown?.rows.find(([name]) => name?.toLowerCase() === 'sql_select_limit')?.[1]
  const wanted = rowLimit || String(LIMITS.selectRows)
  const isAbove = Number(value ?? 0) > LIMITS.selectRows
  const known = value === NO_SELECT_LIMIT ? 'none' : value
  const isOther = rowLimit === '' ? isAbove : known !== wanted
  return isOther ? `SET ${CONSOLE_MARKER} sql_select_limit=${wanted}` : null
}
