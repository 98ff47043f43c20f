import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { ThisObject } from './this-object.ts'

interface TypedColumn {
  readonly name: string
  readonly type: string
}

/** A wider table is summed up in parts. */
export const MOST_COLUMNS = 100

const NUMBER = /^U?(?:TINY|SMALL|BIG|HUGE|LARGE)?INT(?:EGER)?\b|^(?:DECIMAL|NUMERIC|DOUBLE|FLOAT|REAL)\b/i
/** Values that have no order, in one engine or another. */
const UNORDERED = /\[|^(?:STRUCT|MAP|LIST|ARRAY|ROW|UNION|JSON|VARIANT|BLOB|VARBINARY|GEOMETRY)/i

/** One row for each column: rows, NULLs, distinct values, extremes and the average of numbers. */
export function statisticsSql(
  { catalog, database, name }: Pick<ThisObject, 'catalog' | 'database' | 'name'>,
  columns: readonly TypedColumn[],
): string {
  const path = [catalog, database, name].map(quoteIdentifier).join('.')
  const parts = columns.slice(0, MOST_COLUMNS).map((column, at) => {
    const value = quoteIdentifier(column.name)
    const end = (of: 'min' | 'max') =>
      UNORDERED.test(column.type) ? 'CAST(NULL AS VARCHAR)' : `CAST(${of}(${value}) AS VARCHAR)`
    const average = NUMBER.test(column.type) ? `avg(CAST(${value} AS DOUBLE))` : 'CAST(NULL AS DOUBLE)'
    return [
      `SELECT ${at + 1} AS place, ${quoteString(column.name)} AS column_name, count(*) AS row_count,`,
      `  count(*) - count(${value}) AS nulls, count(DISTINCT ${value}) AS distinct_values,`,
      `  ${end('min')} AS minimum, ${end('max')} AS maximum, ${average} AS average`,
      `FROM ${path}`,
    ].join('\n')
  })
  return `${parts.join('\nUNION ALL\n')}\nORDER BY place;\n`
}
