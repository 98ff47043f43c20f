import { type DuckDBConnection, quotedIdentifier, quotedString } from '@duckdb/node-api'
import { type JsonNode, nodesBelow } from '../../objects/json-tree.ts'
import { treeOf } from '../../objects/parse-tree.ts'
import { isFatal, isInterrupt, readReport, StatementRefused } from '../../errors.ts'
import { refuseInternalNames } from '../../session/effects.ts'
import { refuse } from '../file-head.ts'
import { textRows } from '../text-rows.ts'
import type { SourceColumn } from './column-mapping.ts'

/** What takes values from elsewhere than the row. */
const FROM_ELSEWHERE = new Set(['BASE_TABLE', 'SUBQUERY', 'TABLE_FUNCTION', 'STAR'])
const PARTS_OF_A_SELECT = ['where_clause', 'having', 'qualify', 'sample'] as const

/** Expressions come in these. */
const OF_HEADERS = 'columns, where: '

const notAlone = () =>
  refuse(
    `${OF_HEADERS}An expression can use the values of its row only. It cannot select, and it cannot read a table.`,
  )

/** Without what is put around one that is computed. */
const asWritten = (expression: string): string => expression.replace(/^\(([^]*)\n\)$/, '$1').trim()

/** DuckDB lists all functions of a name, which may be a hundred lines. */
const withoutCandidates = (message: string): string =>
  message
    .split(/\s*(?:Candidate functions|Candidate macros):/, 1)
    .join('')
    .trim()

/** What the engine says of an expression that it cannot bind, with the headers in which it is. */
export const unboundExpression = (error: unknown): unknown =>
  error instanceof StatementRefused || isInterrupt(error) || isFatal(error)
    ? error
    : refuse(`${OF_HEADERS}${withoutCandidates(readReport(error).message)}`)

/** It is one expression and nothing else: it reads no table, and does not end early to begin something of its own. */
async function requireExpression(connection: DuckDBConnection, expression: string): Promise<void> {
  refuseInternalNames(expression)
  const text = `SELECT (${expression}\n)`
  const [[serialized] = []] = await textRows(
    connection,
    `SELECT system.main.json_serialize_sql(${quotedString(text)})::VARCHAR`,
  )
  const node = treeOf(serialized ?? '')?.['node'] as JsonNode | undefined
  if (!node) throw refuse(`${OF_HEADERS}This is not an expression: ${asWritten(expression).slice(0, 200)}`)
  const selected = node['select_list']
  const isAlone =
    node['type'] === 'SELECT_NODE' &&
    Array.isArray(selected) &&
    selected.length === 1 &&
    (node['from_table'] as JsonNode | undefined)?.['type'] === 'EMPTY' &&
    PARTS_OF_A_SELECT.every((part) => node[part] === null || node[part] === undefined)
  if (!isAlone) throw notAlone()
  for (const { node: below } of nodesBelow(selected, null, () => ({ held: null })))
    if (FROM_ELSEWHERE.has(String(below['type'])) || below['class'] === 'SUBQUERY') throw notAlone()
}

/** DuckDB refuses to try what is different each time, as `random()`. */
export async function isVolatile(
  connection: DuckDBConnection,
  expression: string,
  columns: readonly SourceColumn[],
): Promise<boolean> {
  try {
    const tried = await connection.prepare(`SELECT TRY(${expression}) FROM ${emptyRow(columns)} AS source`)
    tried.destroySync()
    return false
  } catch (error) {
    if (/volatile/i.test(readReport(error).message)) return true
    throw error
  }
}

export interface Expressions {
  readonly sources: readonly SourceColumn[]
  /** Over the sources. */
  readonly computed: readonly string[]
  /** Over the columns of the table. */
  readonly where: string | null
  readonly targets: readonly SourceColumn[]
}

const emptyRow = (columns: readonly SourceColumn[]): string =>
  `(SELECT ${columns.map(({ name, type }) => `NULL::${type} AS ${quotedIdentifier(name)}`).join(', ')})`

/**
 * Statements that only bind, as a user's: where they are refused, so are the expressions. A condition takes neither
 * aggregates nor windows, which would make another number of rows.
 */
export async function probesOf(
  connection: DuckDBConnection,
  { sources, computed, where, targets }: Expressions,
): Promise<readonly string[]> {
  for (const expression of [...computed, ...(where === null ? [] : [where])])
    await requireExpression(connection, expression)
  const isNull = computed.map((expression) => `(${expression}\n) IS NULL`)
  return [
    ...(isNull.length > 0
      ? [`SELECT 1 FROM ${emptyRow(sources)} AS source WHERE ${isNull.join(' AND ')}`]
      : []),
    ...(where === null ? [] : [`SELECT 1 FROM ${emptyRow(targets)} AS source WHERE (${where}\n)`]),
  ]
}
