import type { Row } from '@boathouse/contract'
import type { CellRange } from './grid-selection.ts'

/**
 * As spreadsheets write it: a value with a tab, a line break or a quote is quoted. NULL is an empty field and an
 * empty text is `""`, so that the two stay apart.
 */
function field(value: string | null): string {
  if (value === null) return ''
  return value === '' || /["\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

const line = (values: readonly (string | null)[]): string => values.map(field).join('\t')

/** A single value is copied as it is, to the character. */
export function toTsv(rows: readonly Row[], { top, bottom, left, right }: CellRange): string {
  if (top === bottom && left === right) return rows[top]?.[left] ?? ''
  return rows
    .slice(top, bottom + 1)
    .map((row) => line(row.slice(left, right + 1)))
    .join('\n')
}

export const tableToTsv = (names: readonly string[], rows: readonly Row[]): string =>
  [names, ...rows].map(line).join('\n')
