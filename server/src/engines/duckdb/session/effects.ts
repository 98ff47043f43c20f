import {
  type DuckDBConnection,
  type DuckDBPreparedStatement,
  LIST,
  VARCHAR,
  listValue,
  quotedIdentifier,
} from '@duckdb/node-api'
import type { Effect } from '../../engine/capabilities.ts'
import { StatementRefused } from '../errors.ts'
import { INTERNAL_SCHEMA } from '../guard/internal-schema.ts'

/** Each catalog has its own: a transaction of DuckDB writes to one of them. */
const effectsOf = (catalog: string): string => `${quotedIdentifier(catalog)}.${INTERNAL_SCHEMA}.effects`

export async function prepareEffects(connection: DuckDBConnection, catalog: string): Promise<void> {
  await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quotedIdentifier(catalog)}.${INTERNAL_SCHEMA}`)
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${effectsOf(catalog)} (query_id VARCHAR NOT NULL, rows_changed BIGINT, marked_at TIMESTAMPTZ NOT NULL)`,
  )
}

/** To be run in the transaction that does what is remembered, in the catalog that it writes to. */
export function prepareMark(connection: DuckDBConnection, catalog: string): Promise<DuckDBPreparedStatement> {
  return connection.prepare(`INSERT INTO ${effectsOf(catalog)} VALUES ($1, $2, now())`)
}

export async function runMark(
  mark: DuckDBPreparedStatement,
  queryId: string,
  { rowsChanged }: Effect,
): Promise<void> {
  mark.bindVarchar(1, queryId)
  if (rowsChanged === null) mark.bindNull(2)
  else mark.bindBigInt(2, BigInt(rowsChanged))
  await mark.run()
}

export async function readEffects(
  connection: DuckDBConnection,
  catalogs: readonly string[],
  queryIds: readonly string[],
): Promise<ReadonlyMap<string, Effect>> {
  const all = catalogs.map((catalog) => `FROM ${effectsOf(catalog)}`).join(' UNION ALL ')
  const found = await connection.runAndReadAll(
    `SELECT query_id, rows_changed FROM (${all}) WHERE query_id IN (SELECT unnest($1))`,
    [listValue(queryIds)],
    [LIST(VARCHAR)],
  )
  return new Map(
    found
      .getRows()
      .map(([id, rows]) => [String(id), { rowsChanged: rows === null ? null : Number(rows) }] as const),
  )
}

export async function forgetEffects(
  connection: DuckDBConnection,
  catalogs: readonly string[],
  before: Date,
): Promise<void> {
  const micros = before.getTime() * 1000
  // Without a parameter, so that it is planned and run at once: a plan of before may take what is marked meanwhile.
  for (const catalog of catalogs)
    await connection.run(
      `DELETE FROM ${effectsOf(catalog)} WHERE marked_at < system.main.make_timestamptz(${micros}::BIGINT)`,
    )
}

const ESCAPE = /\\(x[0-9a-f]{1,2}|u[0-9a-f]{4}|U[0-9a-f]{8}|[0-7]{1,3})/gi

/** Anywhere in the text, also in a string: names are also given in strings, and those may hold escapes. */
export function refuseInternalNames(sql: string): void {
  const unescaped = sql.replace(ESCAPE, (_, code: string) =>
    String.fromCharCode(/^\d/.test(code) ? Number.parseInt(code, 8) : Number.parseInt(code.slice(1), 16)),
  )
  for (const text of [sql, unescaped]) {
    const offset = text.toLowerCase().indexOf(INTERNAL_SCHEMA)
    if (offset < 0) continue
    const message = `${INTERNAL_SCHEMA} belongs to the service: statements can neither read nor change it.`
    throw new StatementRefused({ kind: 'permission', message, ...(text === sql && { offset }) })
  }
}
