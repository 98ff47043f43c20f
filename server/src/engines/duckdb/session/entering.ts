import { quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { SessionState } from '../../engine/session.ts'
import { behindGuard } from '../guard/guard.ts'
import { USER_VARIABLE } from '../guard/guarded-functions.ts'

/** What brings a new connection to where its session stands. */
export function entering(state: SessionState): string {
  const { catalog, database, user = 'nobody' } = state
  const variables = Object.entries({ ...state.variables, [USER_VARIABLE]: user }).map(
    ([name, value]) => `SET VARIABLE ${quotedIdentifier(name)} = ${quotedString(value)}`,
  )
  return [
    // Only so does DuckDB tell the progress, and it can be asked for by connection alone.
    'SET enable_progress_bar = true',
    'SET enable_progress_bar_print = false',
    `SET TimeZone = ${quotedString(state.timeZone)}`,
    `USE ${quotedIdentifier(catalog)}.${quotedIdentifier(database ?? 'main')}`,
    behindGuard(catalog, database ?? 'main', { sight: 'all', informs: null }),
    ...variables,
  ].join(';')
}
