import { splitStatements } from '@boathouse/sql'
import {
  type DuckDBConnection,
  type DuckDBExtractedStatements,
  type DuckDBPreparedStatement,
  StatementType,
} from '@duckdb/node-api'
import { StatementRefused } from '../errors.ts'
import { firstWord } from '../guard/first-words.ts'

/**
 * DuckDB makes several statements out of some single ones: a PIVOT first defines a temporary type, and ADD COLUMN with a
 * default that is not constant adds it, fills it and sets the default. Those that write stand between a BEGIN and a
 * COMMIT or, in a transaction, between two settings of what a failure does to it. These are left out here: ours is
 * around them, and is undone when one fails. All but the last are run, and the last is prepared.
 */
export async function prepareCompound(
  connection: DuckDBConnection,
  sql: string,
): Promise<DuckDBPreparedStatement> {
  // Two parsers must agree that the user wrote one.
  if (splitStatements(sql).length !== 1) throw severalStatements()
  const extracted = await connection.extractStatements(sql)
  let at = 0
  let prepared = await extracted.prepare(at)
  if (FRAMES.has(prepared.statementType)) prepared = await replace(prepared, extracted, ++at)
  // What stands before them has its counterpart behind them.
  const last = extracted.count - 1 - at
  const isExplain = firstWord(sql) === 'EXPLAIN'
  while (at < last) {
    // To explain it, a type is needed. Nothing else is done.
    if (isExplain && prepared.statementType !== StatementType.CREATE) throw severalStatements()
    await prepared.run()
    prepared = await replace(prepared, extracted, ++at)
  }
  return prepared
}

const FRAMES = new Set([StatementType.TRANSACTION, StatementType.SET])

/** Each is bound by what those before it have defined. */
function replace(
  before: DuckDBPreparedStatement,
  extracted: DuckDBExtractedStatements,
  at: number,
): Promise<DuckDBPreparedStatement> {
  before.destroySync()
  return extracted.prepare(at)
}

export function severalStatements(): StatementRefused {
  return new StatementRefused({ kind: 'syntax', message: 'Only one statement can run at a time.' })
}
