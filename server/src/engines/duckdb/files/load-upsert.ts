import { randomUUID } from 'node:crypto'
import { type DuckDBConnection, quotedIdentifier } from '@duckdb/node-api'
import { foldedName } from '../../../kernel/same-name.ts'
import type { LoadOrder } from '../../engine/files.ts'
import { tableOf } from './csv-source.ts'
import { refuse } from './file-head.ts'
import { type Loaded, mappedOf } from './load-target.ts'
import { tableText } from './target-table.ts'
import { textRows } from './text-rows.ts'

/** A table of the session. */
const STAGED_IN = { catalog: 'temp', database: 'main' }

/**
 * In the transaction that is open: the rows of the file are loaded beside the table, as into any other, and then take the
 * place of those with the same key. Of several rows with one key the last is taken.
 */
export async function loadUpserted(
  connection: DuckDBConnection,
  { order, keys }: { readonly order: LoadOrder; readonly keys: readonly string[] },
  load: (order: LoadOrder) => Promise<Loaded>,
): Promise<Loaded> {
  const keyed = keyColumns(order, keys)
  const columns = mappedOf(order).map(({ into }) => quotedIdentifier(into))
  const name = `staged_${randomUUID().replaceAll('-', '')}`
  const staged = tableOf(name)
  await connection.run(
    `CREATE TEMP TABLE ${quotedIdentifier(name)} AS SELECT ${columns.join(', ')} FROM ${tableText(order)} LIMIT 0`,
  )
  const loaded = await load({ ...order, table: { ...STAGED_IN, name } })
  await refuseNull(connection, staged, keyed)
  const others = columns.filter((column) => !keyed.includes(column))
  const newest = `(SELECT * FROM ${staged} QUALIFY system.main.row_number() OVER (PARTITION BY ${keyed.join(', ')} ORDER BY rowid DESC) = 1)`
  // DuckDB counts a row that is updated twice: once as it goes, once as it comes.
  const [[rows] = []] = await textRows(
    connection,
    `SELECT system.main.count(*)::VARCHAR FROM ${newest} AS given`,
  )
  await connection.run(
    `MERGE INTO ${tableText(order)} AS kept USING ${newest} AS given
     ON (${keyed.map((key) => `kept.${key} = given.${key}`).join(' AND ')})
     ${others.length > 0 ? `WHEN MATCHED THEN UPDATE SET ${others.map((one) => `${one} = given.${one}`).join(', ')}` : ''}
     WHEN NOT MATCHED THEN INSERT (${columns.join(', ')}) VALUES (${columns.map((one) => `given.${one}`).join(', ')})`,
  )
  await connection.run(`DROP TABLE ${staged}`)
  return { ...loaded, rowsChanged: Number(rows) }
}

/** As they are quoted among the columns that are loaded. */
function keyColumns(order: LoadOrder, keys: readonly string[]): string[] {
  return keys.map((key) => {
    const found = mappedOf(order).find(({ into }) => foldedName(into) === foldedName(key))
    if (!found) throw refuse(`The key column ${key} gets no values from the file. Choose a column for it.`)
    return quotedIdentifier(found.into)
  })
}

/** NULL is equal to nothing: such rows would be added again with every load. */
async function refuseNull(
  connection: DuckDBConnection,
  staged: string,
  keyed: readonly string[],
): Promise<void> {
  const isNull = keyed.map((key) => `${key} IS NULL`).join(' OR ')
  const [[count] = []] = await textRows(
    connection,
    `SELECT system.main.count(*)::VARCHAR FROM ${staged} WHERE ${isNull}`,
  )
  if (Number(count) > 0)
    throw refuse(
      `The key is NULL in ${count} rows, so nothing was loaded. Choose another key, or reject these rows.`,
    )
}
