import { quotedIdentifier } from '@duckdb/node-api'
import { SYSTEM_DATABASE, SYSTEM_TABLES } from '../../engine/system-tables.ts'

const columns = Object.keys(SYSTEM_TABLES.loads).map(
  (name) => `${quotedIdentifier(name)} AS ${quotedIdentifier(name.toUpperCase())}`,
)

/** `information_schema.loads`: rows of `sys.loads`, which the service sends with a statement that names it. */
export const LOADS = `SELECT ${columns.join(', ')} FROM ${SYSTEM_DATABASE}.loads`
