import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { DuckDBInstance } from '@duckdb/node-api'
import type { AskedSizes } from '../../engine/capabilities.ts'

/** DuckDB's own size of a block, which nothing here changes. */
const BLOCK_BYTES = 262_144

const WIDTHS: readonly (readonly [bytes: number, types: readonly string[]])[] = [
  [1, ['BOOLEAN', 'TINYINT', 'UTINYINT']],
  [2, ['SMALLINT', 'USMALLINT']],
  [4, ['INTEGER', 'UINTEGER', 'FLOAT', 'DATE']],
  [16, ['HUGEINT', 'UHUGEINT', 'UUID', 'INTERVAL']],
]

/** Of the values of a part as they are in memory. */
const PLAIN_BYTES = `CASE
  WHEN segment_type = 'VALIDITY' THEN count // 8
  WHEN segment_type IN ('VARCHAR', 'BLOB')
    THEN count * (4 + coalesce(TRY_CAST(regexp_extract(stats, 'Max String Length: ([0-9]+)', 1) AS BIGINT), 12))
  ${WIDTHS.map(([bytes, types]) => `WHEN segment_type IN (${types.map(quoteString).join(', ')}) THEN count * ${bytes}`).join('\n  ')}
  ELSE count * 8 END`

/**
 * Blocks that hold something of the table. Small tables share theirs with others, so that no more is said than the plain
 * values would take; so is of what is not in a block yet.
 */
const sizeOf = (path: string): string => `WITH parts AS MATERIALIZED (
    SELECT block_id, additional_block_ids, persistent, ${PLAIN_BYTES} AS plain
    FROM pragma_storage_info(${quoteString(path)})),
  blocks AS (SELECT block_id AS id FROM parts WHERE persistent AND block_id >= 0
    UNION SELECT unnest(additional_block_ids) FROM parts WHERE persistent)
  SELECT least(coalesce(sum(plain), 0), (SELECT count(*) FROM blocks) * ${BLOCK_BYTES}
    + coalesce(sum(plain) FILTER (NOT persistent), 0))::BIGINT FROM parts`

/** On a connection of its own, so that nobody waits for it; one that is gone or is no table is left out. */
export async function tableSizes(
  instance: DuckDBInstance,
  { catalog, database, names, withinMs }: AskedSizes,
): Promise<ReadonlyMap<string, number>> {
  const connection = await instance.connect()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    connection.interrupt()
  }, withinMs)
  const sizes = new Map<string, number>()
  try {
    for (const name of names) {
      if (isOver) break
      const path = [catalog, database, name].map(quoteIdentifier).join('.')
      const found = await connection.runAndReadAll(sizeOf(path)).catch(() => null)
      const [bytes] = found?.getRows()[0] ?? []
      if (typeof bytes === 'bigint') sizes.set(name, Number(bytes))
    }
    return sizes
  } finally {
    clearTimeout(timer)
    connection.closeSync()
  }
}
