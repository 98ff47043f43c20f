import { type DuckDBPreparedStatement, DuckDBTypeId } from '@duckdb/node-api'

/** Bytes of a value in memory, of the types that have a bound. */
const WIDTHS: Partial<Record<DuckDBTypeId, number>> = {
  [DuckDBTypeId.BOOLEAN]: 1,
  [DuckDBTypeId.TINYINT]: 1,
  [DuckDBTypeId.UTINYINT]: 1,
  [DuckDBTypeId.SMALLINT]: 2,
  [DuckDBTypeId.USMALLINT]: 2,
  [DuckDBTypeId.INTEGER]: 4,
  [DuckDBTypeId.UINTEGER]: 4,
  [DuckDBTypeId.FLOAT]: 4,
  [DuckDBTypeId.DATE]: 4,
  [DuckDBTypeId.ENUM]: 4,
  [DuckDBTypeId.BIGINT]: 8,
  [DuckDBTypeId.UBIGINT]: 8,
  [DuckDBTypeId.DOUBLE]: 8,
  [DuckDBTypeId.TIME]: 8,
  [DuckDBTypeId.TIMESTAMP]: 8,
  [DuckDBTypeId.TIMESTAMP_TZ]: 8,
  [DuckDBTypeId.DECIMAL]: 16,
  [DuckDBTypeId.HUGEINT]: 16,
  [DuckDBTypeId.UUID]: 16,
  [DuckDBTypeId.INTERVAL]: 16,
}

// Of a result in memory that DuckDB neither counts nor moves to disk.
const MOST_BYTES = 64 * 1024 * 1024
// DuckDB takes longer for the type of each column the more there are.
const MOST_COLUMNS = 256

/** Whether so many rows of the statement are small enough to be held at once, whatever is in them. */
export function isNarrow(prepared: DuckDBPreparedStatement, rows: number): boolean {
  if (prepared.columnCount > MOST_COLUMNS) return false
  let width = 0
  for (let at = 0; at < prepared.columnCount; at++)
    width += WIDTHS[prepared.columnTypeId(at)] ?? Number.POSITIVE_INFINITY
  return width * rows <= MOST_BYTES
}
