import { parseExactly } from './exact-json.ts'

/** One page of the protocol: how a statement stands, and some of its rows. */
export interface StatementAnswer {
  readonly id: string
  /** Where the next one is; null: this is the last. */
  readonly nextUri: string | null
  /** Null until they are known, and of a statement without a result. */
  readonly columns: readonly AnsweredColumn[] | null
  readonly rows: readonly (readonly unknown[])[]
  readonly stats: AnsweredStats
  /** Of a statement that is no query, such as `INSERT`. */
  readonly updateType: string | null
  readonly updateCount: number | null
  readonly error: AnsweredError | null
}

export interface AnsweredColumn {
  readonly name: string
  readonly type: string
}

export interface AnsweredStats {
  readonly state: string
  readonly percentage: number | null
  readonly rows: number
  readonly peakMemoryBytes: number
  readonly spilledBytes: number
  readonly planningMs: number
}

export interface AnsweredError {
  readonly message: string
  readonly name: string
  readonly type: string
  /** Both counted from 1; of errors at run time there is none. */
  readonly place: { readonly line: number; readonly column: number } | null
}

/** What came is no answer that the protocol knows. */
export class NonsenseAnswer extends Error {
  override readonly name = 'NonsenseAnswer'
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const numberOr = <T>(value: unknown, otherwise: T): number | T => {
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : otherwise
}

export function readAnswer(text: string): StatementAnswer {
  const answer = objectIn(text)
  const { id, stats, columns, data, error } = answer
  if (typeof id !== 'string' || !isObject(stats)) throw new NonsenseAnswer('It has no id or no state.')
  return {
    id,
    nextUri: textOrNull(answer.nextUri),
    columns: Array.isArray(columns) ? columns.map(columnOf) : null,
    rows: rowsOf(data),
    stats: statsOf(stats),
    updateType: textOrNull(answer.updateType),
    updateCount: numberOr(answer.updateCount, null),
    error: isObject(error) ? errorOf(error) : null,
  }
}

/** A JSON object, with all digits of its whole numbers. */
export function objectIn(text: string): Fields {
  try {
    const value = parseExactly(text)
    if (isObject(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw new NonsenseAnswer('It is not a JSON object.')
}

function columnOf(column: unknown): AnsweredColumn {
  if (!isObject(column) || typeof column.name !== 'string' || typeof column.type !== 'string')
    throw new NonsenseAnswer('A column has no name or no type.')
  return { name: column.name, type: column.type }
}

function rowsOf(data: unknown): readonly (readonly unknown[])[] {
  if (data === undefined || data === null) return []
  if (!Array.isArray(data) || !data.every(Array.isArray)) throw new NonsenseAnswer('Its rows are no rows.')
  return data as readonly (readonly unknown[])[]
}

const statsOf = (stats: Fields): AnsweredStats => ({
  state: textOrNull(stats.state) ?? '',
  percentage: numberOr(stats.progressPercentage, null),
  rows: numberOr(stats.processedRows, 0),
  peakMemoryBytes: numberOr(stats.peakMemoryBytes, 0),
  spilledBytes: numberOr(stats.spilledBytes, 0),
  planningMs: numberOr(stats.planningTimeMillis, 0),
})

/** Its `failureInfo` has stacks, which nobody is shown. */
function errorOf(error: Fields): AnsweredError {
  const { errorLocation: at } = error
  return {
    message: textOrNull(error.message) ?? '',
    name: textOrNull(error.errorName) ?? '',
    type: textOrNull(error.errorType) ?? '',
    place: isObject(at) ? { line: numberOr(at.lineNumber, 1), column: numberOr(at.columnNumber, 1) } : null,
  }
}
