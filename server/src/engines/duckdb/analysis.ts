import { type DuckDBConnection, StatementType } from '@duckdb/node-api'
import type { Analysis } from '../engine.ts'
import { readReport } from './errors.ts'
import { bodies, cappedText, extractStatement, severalStatements } from './statement.ts'

/** What DuckDB's parser and binder make of one statement; nothing is run. */
export async function analyseStatement(connection: DuckDBConnection, sql: string): Promise<Analysis> {
  const extracted = await extractStatement(connection, sql)
  const selectable = await canBeSelectedFrom(connection, sql)
  if (extracted.count > 1) {
    if (!selectable) throw severalStatements()
    return { readable: true, statementType: 'SELECT', tables: null }
  }
  const prepared = await extracted.prepare(0)
  const type = prepared.statementType
  prepared.destroySync()
  if (type !== StatementType.SELECT)
    return { readable: true, statementType: StatementType[type], tables: null }
  // DuckDB calls some PRAGMAs a select, and knows no tables in them.
  if (!selectable) return { readable: true, statementType: 'PRAGMA', tables: null }
  return { readable: true, statementType: 'SELECT', tables: connection.getTableNames(sql, true) }
}

async function canBeSelectedFrom(connection: DuckDBConnection, sql: string): Promise<boolean> {
  for await (const body of bodies(connection, sql)) {
    try {
      await connection.extractStatements(cappedText(body, 1))
      return true
    } catch (error) {
      if (readReport(error).type !== 'Parser') throw error
    }
  }
  return false
}
