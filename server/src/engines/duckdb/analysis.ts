import { type DuckDBConnection, type DuckDBExtractedStatements, StatementType } from '@duckdb/node-api'
import type { Analysis } from '../engine.ts'
import { readReport } from './errors.ts'
import { bodies, cappedText, extractStatement, severalStatements } from './statement.ts'

/**
 * What DuckDB's parser and binder make of one statement; nothing is run. DuckDB's own list of the tables in it is
 * not passed on: it leaves out both sides of a JOIN with USING.
 */
export async function analyseStatement(connection: DuckDBConnection, sql: string): Promise<Analysis> {
  const extracted = await extractStatement(connection, sql)
  const statementType = extracted.count > 1 ? StatementType.SELECT : await typeOf(extracted)
  const isSelect = statementType === StatementType.SELECT
  const canBeSelected = !isSelect || (await canBeSelectedFrom(connection, sql))
  if (extracted.count > 1 && !canBeSelected) throw severalStatements()
  // DuckDB calls some PRAGMAs a select.
  return {
    readable: true,
    statementType: canBeSelected ? StatementType[statementType] : 'PRAGMA',
    tables: null,
  }
}

async function typeOf(extracted: DuckDBExtractedStatements): Promise<StatementType> {
  const prepared = await extracted.prepare(0)
  const type = prepared.statementType
  prepared.destroySync()
  return type
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
