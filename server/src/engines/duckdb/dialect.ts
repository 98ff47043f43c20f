import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { Dialect } from '../engine/dialect.ts'
import type { Engine } from '../engine/engine.ts'
import { FILE_FORMATS } from '../engine/files.ts'
import { SESSION_SETTINGS } from '../engine/session-settings.ts'
import { DUCKDB_DESCRIPTIONS } from './catalogs/descriptions.ts'
import { literalOf } from './session/applied-variables.ts'
import { sampleData } from './samples/sample-data.ts'

const DIALECT: Dialect = {
  setTimeZone: (zone) => `SET TimeZone = ${quoteString(zone)}`,
  valueOf: (variable) => `SELECT ${literalOf(variable)}`,
  settings: new Set(Object.keys(SESSION_SETTINGS)),
  valueAndType: { before: 'SELECT CAST(v AS VARCHAR), typeof(v) FROM (', after: ')' },
  useCollation: (name) => `SELECT 'a' COLLATE ${name.split('.').map(quoteIdentifier).join('.')}`,
  sampleData,
}

/** What holds of DuckDB wherever it runs. */
export const DUCKDB_WORDS: Pick<
  Engine,
  'dialect' | 'usesAre' | 'descriptions' | 'explain' | 'profiling' | 'describing' | 'files'
> = {
  dialect: DIALECT,
  // It is bound, decided on and run in one transaction (`session/statement.ts`).
  usesAre: 'in the same transaction',
  descriptions: DUCKDB_DESCRIPTIONS,
  explain: (sql) => sql,
  profiling: { of: 'plan' },
  describing: { of: 'statement' },
  files: { formats: FILE_FORMATS },
}
