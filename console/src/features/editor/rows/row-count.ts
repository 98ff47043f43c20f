import type { ResultRows } from './use-result-rows.ts'

/** How a number of rows is put in words: `shown` of them are here from the first, `all` are kept or were returned. */
type RowCountKey = 'rows' | 'firstRows' | 'firstRowsOf' | 'firstRowsOfMore'

export interface RowCount {
  readonly key: RowCountKey
  readonly shown: number
  readonly all: number
}

type Known = Pick<ResultRows, 'count' | 'total' | 'windows' | 'firstRows'>

/** Never more than is known: 'of N' only when the service has counted them, 'more than' when it stopped keeping. */
export function rowCount({ count, total, windows, firstRows }: Known, isTruncated: boolean): RowCount {
  const first = firstRows.length
  if (total === null) return { key: isTruncated ? 'firstRows' : 'rows', shown: first, all: first }
  const hasMore = windows.size > 1 || first >= total.rows
  if (hasMore) return { key: total.isComplete ? 'rows' : 'firstRows', shown: count, all: count }
  return { key: total.isComplete ? 'firstRowsOf' : 'firstRowsOfMore', shown: first, all: total.rows }
}
