import { LIMITS } from '@boathouse/contract/limits'
import type { LongCell, QueryRsp } from '@boathouse/contract/realtime'
import type { Api, CallOptions } from './api.ts'
import { IncompleteError } from './errors.ts'
import type { Field, Result, Row } from './result.ts'

export interface ResultParts {
  readonly answer: QueryRsp
  readonly api: Api
  /** The user wants no more than so many rows, so that missing ones are no error. */
  readonly isLimited: boolean
  readonly options: CallOptions
}

interface Rows {
  readonly rows: Row[]
  readonly longCells: readonly LongCell[]
}

/** Reads a kept result, with its long values whole. */
function createReader({ answer: { queryId }, api, options }: ResultParts) {
  async function wholeCell(row: number, column: number): Promise<string | null> {
    const parts: string[] = []
    let offset = 0
    for (;;) {
      const { text, length } = await api.query.resultCell({ queryId, row, column, offset }, options)
      if (text === null || text === '') return text === null ? null : parts.join('')
      parts.push(text)
      offset += text.length
      if (offset >= length) return parts.join('')
    }
  }
  return {
    window: (offset: number) =>
      api.query.resultWindow({ queryId, offset, limit: LIMITS.selectRows }, options),
    /** The rows with each value that was cut short read in full. */
    async whole({ rows, longCells }: Rows, offset: number): Promise<Row[]> {
      for (const { row, column } of longCells) {
        const cells = rows[row]
        if (cells) cells[column] = await wholeCell(offset + row, column)
      }
      return rows
    },
  }
}

const plainField = ({ name, type, family }: Field): Field => ({ name, type, family })

/** An answer that comes again after a cut may have lost its rows, which are still kept. */
const lacksRows = ({ resultKept, fields }: QueryRsp): boolean => resultKept && fields.length === 0

export async function createResult(parts: ResultParts): Promise<Result> {
  const { answer, isLimited } = parts
  const reader = createReader(parts)
  const first = lacksRows(answer) ? await reader.window(0) : null
  const fields = (first ?? answer).fields.map(plainField)
  const shown = first ?? { rows: answer.result, longCells: answer.longCells }
  const isComplete = answer.firstRows === undefined

  async function* batches(): AsyncGenerator<Row[], void, undefined> {
    let read = 0
    // Values are replaced where they are long: a second iteration begins with the same rows.
    const rows = shown.rows.map((row) => [...row])
    const isReadable = answer.resultKept || shown.longCells.length === 0
    yield isReadable ? await reader.whole({ rows, longCells: shown.longCells }, 0) : rows
    read += rows.length
    const hasMore = answer.resultKept && (answer.truncated || read < answer.totalRows)
    for (let continues = hasMore; continues;) {
      const window = await reader.window(read)
      if (window.rows.length > 0) yield await reader.whole(window, read)
      read += window.rows.length
      continues = window.rows.length > 0 && read < window.totalRows
    }
    if (!isComplete && !isLimited) throw new IncompleteError(read)
  }

  async function* rows(): AsyncGenerator<Row, void, undefined> {
    if (fields.length > 0) for await (const batch of batches()) yield* batch
  }

  return {
    queryId: answer.queryId,
    fields,
    rowsChanged: fields.length === 0 ? answer.totalRows : null,
    isComplete,
    timeMs: answer.timeUsed,
    notice: answer.notice,
    [Symbol.asyncIterator]: rows,
    async *objects() {
      for await (const row of rows())
        yield Object.fromEntries(fields.map(({ name }, at) => [name, row[at] ?? null]))
    },
  }
}
