import type { DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api'
import { StatementRefused } from './errors.ts'

/** Between the binding of a statement and its run, somebody changed what it selects from. */
export class Outdated extends StatementRefused {
  constructor() {
    const message = 'What this statement selects from was changed at the same moment. Run it again.'
    super({ kind: 'data', message })
  }
}

/** DuckDB binds such a statement anew without a word, and its columns may be others than those that were prepared. */
export function refuseOutdated<R extends DuckDBResult>(prepared: DuckDBPreparedStatement, result: R): R {
  const isSame =
    prepared.columnCount === result.columnCount &&
    result
      .columnNames()
      .every(
        (name, at) =>
          name === prepared.columnName(at) &&
          String(result.columnType(at)) === String(prepared.columnType(at)),
      )
  if (!isSame) throw new Outdated()
  return result
}
