import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  DuckDBTypeId,
  StatementType,
} from '@duckdb/node-api'
import type { Described, DescribedParameter } from '../../engine/describing.ts'
import type { Column } from '../../engine/columns.ts'
import type { Purpose } from '../../engine/run.ts'
import { refuseMistaken } from '../guard/purpose.ts'
import { typeName } from '../rows/column-types.ts'
import { column } from '../rows/result-rows.ts'
import { describedStatement } from './statement.ts'

/** Types that DuckDB finds when values are bound. */
const NOT_YET = new Set([DuckDBTypeId.INVALID, DuckDBTypeId.ANY, DuckDBTypeId.SQLNULL])

const UNKNOWN: Described = { columns: null, parameters: [] }

function parametersOf(prepared: DuckDBPreparedStatement): DescribedParameter[] {
  return Array.from({ length: prepared.parameterCount }, (_, at) => {
    const isKnown = !NOT_YET.has(prepared.parameterTypeId(at + 1))
    return {
      name: prepared.parameterName(at + 1).toLowerCase(),
      type: isKnown ? typeName(prepared.parameterType(at + 1)) : null,
    }
  })
}

/** Of a statement that writes, DuckDB has one column for how many rows it changes, unless it returns some of them. */
const RETURNS_COUNT = new Set([
  StatementType.INSERT,
  StatementType.UPDATE,
  StatementType.DELETE,
  StatementType.MERGE_INTO,
])

function columnsOf(prepared: DuckDBPreparedStatement, type: StatementType): readonly Column[] | null {
  const ids = Array.from({ length: prepared.columnCount }, (_, at) => prepared.columnTypeId(at))
  if (ids.some((id) => id === DuckDBTypeId.INVALID || id === DuckDBTypeId.ANY)) return null
  const columns = ids.map((_, at) => column(prepared.columnName(at), prepared.columnType(at)))
  if (type === StatementType.SELECT) return columns
  if (!RETURNS_COUNT.has(type)) return []
  return columns.length === 1 && columns[0]?.name === 'Count' ? [] : columns
}

/** The columns and parameters of a statement. DuckDB binds it, and does not run it. */
export async function describeStatement(
  connection: DuckDBConnection,
  sql: string,
  takenFor: Purpose | null,
): Promise<Described> {
  const bound = await describedStatement(connection, sql)
  if (!bound) return UNKNOWN
  const { prepared, type } = bound
  try {
    refuseMistaken(type, takenFor)
    return { columns: columnsOf(prepared, type), parameters: parametersOf(prepared) }
  } finally {
    prepared.destroySync()
  }
}
