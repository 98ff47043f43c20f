import type { ErrorDetail } from '../../kernel/error-detail.ts'
import type { EngineError } from '../engine/outcome.ts'
import type { AnsweredError } from './protocol/answer.ts'

/** What a cluster said of a text that it was sent. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed'

  constructor(
    readonly error: AnsweredError,
    /** Where the statement is in what was sent: text of ours may be around it. */
    readonly sent: { readonly sql: string; readonly shift: number },
  ) {
    super(error.message)
  }
}

export const isCancelled = ({ name }: AnsweredError): boolean => name === 'USER_CANCELED'

const MISSING_CATALOG = /Catalog '([^']+)' (?:not found|does not exist)/

/** The catalog that a text names and the cluster does not have. */
export const missingCatalogIn = ({ error }: QueryFailed): string | null =>
  MISSING_CATALOG.exec(error.message)?.[1] ?? null

type Kind = EngineError['kind']

const NAMES: Readonly<Record<string, readonly [kind: Kind, code?: ErrorDetail]>> = {
  SYNTAX_ERROR: ['syntax', 'unexpected-word'],
  NOT_SUPPORTED: ['syntax', 'not-supported'],
  TABLE_NOT_FOUND: ['missing', 'missing-table'],
  SCHEMA_NOT_FOUND: ['missing', 'missing-database'],
  CATALOG_NOT_FOUND: ['missing'],
  COLUMN_NOT_FOUND: ['missing', 'missing-column'],
  FUNCTION_NOT_FOUND: ['missing', 'missing-function'],
  NOT_FOUND: ['missing'],
  MISSING_CATALOG_NAME: ['missing'],
  MISSING_SCHEMA_NAME: ['missing', 'missing-database'],
  PERMISSION_DENIED: ['permission'],
  ADMINISTRATIVELY_KILLED: ['resource'],
  TABLE_ALREADY_EXISTS: ['data', 'exists'],
  SCHEMA_ALREADY_EXISTS: ['data', 'exists'],
  ALREADY_EXISTS: ['data', 'exists'],
  SCHEMA_NOT_EMPTY: ['data'],
  DIVISION_BY_ZERO: ['data', 'division-by-zero'],
  INVALID_CAST_ARGUMENT: ['data', 'cast'],
  NUMERIC_VALUE_OUT_OF_RANGE: ['data', 'out-of-range'],
  INVALID_FUNCTION_ARGUMENT: ['data'],
  CONSTRAINT_VIOLATION: ['data', 'not-null'],
  SUBQUERY_MULTIPLE_ROWS: ['data', 'several-rows'],
  GENERIC_USER_ERROR: ['data'],
  TRANSACTION_CONFLICT: ['data', 'conflict'],
  ICEBERG_COMMIT_ERROR: ['data', 'conflict'],
  AMBIGUOUS_NAME: ['syntax', 'ambiguous-column'],
  MISMATCHED_COLUMN_ALIASES: ['syntax', 'wrong-count'],
  EXPRESSION_NOT_AGGREGATE: ['syntax', 'not-grouped'],
  NO_NODES_AVAILABLE: ['unavailable'],
  SERVER_STARTING_UP: ['unavailable'],
  SERVER_SHUTTING_DOWN: ['unavailable'],
}

/** What happens to a statement when a node ends, or hangs. The words of the cluster name its addresses. */
const NODE_LOST: ReadonlySet<string> = new Set([
  'REMOTE_TASK_ERROR',
  'REMOTE_TASK_MISMATCH',
  'REMOTE_HOST_GONE',
  'REMOTE_TASK_FAILED',
  'PAGE_TRANSPORT_ERROR',
  'PAGE_TRANSPORT_TIMEOUT',
  'TOO_MANY_REQUESTS_FAILED',
])
const WORKER_LOST = 'A worker of the cluster ended or hung while this statement ran. Run the statement again.'

/** A file of a table was removed behind its back, or its disk fails. */
const FILE_LOST: ReadonlySet<string> = new Set([
  'ICEBERG_CANNOT_OPEN_SPLIT',
  'ICEBERG_MISSING_METADATA',
  'ICEBERG_INVALID_METADATA',
  'ICEBERG_FILESYSTEM_ERROR',
])
const FILE = /[a-z0-9]+:\/\/\S*?([^/\s:]+\.(?:parquet|orc|avro|json))/

function fileLost(message: string): string {
  const file = FILE.exec(message)?.[1]
  return `A file of a table in this statement cannot be read${file === undefined ? '' : `: ${file}`}. It may have been removed from the folder of the lake. Restore it, or drop the table.`
}

const TYPES: Readonly<Record<string, Kind>> = { USER_ERROR: 'syntax', INSUFFICIENT_RESOURCES: 'resource' }

/** Some messages have thousands of lines, and none of those helps. */
const LONGEST_MESSAGE = 2_000

export function engineError({ error, sent }: QueryFailed): EngineError {
  if (NODE_LOST.has(error.name)) return { kind: 'unavailable', message: WORKER_LOST }
  if (FILE_LOST.has(error.name)) return { kind: 'data', message: fileLost(error.message) }
  const isMissing = error.name === 'GENERIC_USER_ERROR' && error.message.endsWith(' does not exist')
  const [kind, code] = NAMES[isMissing ? 'NOT_FOUND' : error.name] ?? [TYPES[error.type] ?? 'internal']
  const offset = error.place && offsetIn(sent.sql, error.place) - sent.shift
  return {
    kind,
    message: messageOf(error),
    ...(code && { code }),
    ...(offset !== null && offset >= 0 && { offset }),
  }
}

function messageOf({ message, name }: AnsweredError): string {
  const plain = message.replace(/^line \d+:\d+: /, '').trim()
  if (plain === '') return `The engine could not run this statement (${name}).`
  return plain.length > LONGEST_MESSAGE ? `${plain.slice(0, LONGEST_MESSAGE)}…` : plain
}

/** Lines and columns are counted from 1, columns in whole characters. */
function offsetIn(sql: string, { line, column }: { line: number; column: number }): number {
  let start = 0
  for (let at = 1; at < line; at++) {
    const end = sql.indexOf('\n', start)
    if (end === -1) break
    start = end + 1
  }
  let offset = start
  for (let left = column - 1; left > 0 && offset < sql.length; left--)
    offset += (sql.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1
  return offset
}
