import type { GridCells, GridRows } from './grid-rows.ts'
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

/** A single value is copied as it is, to the character. Null when not all of it is here: nothing is copied in part. */
export function toTsv({ at }: Pick<GridRows, 'at'>, { top, bottom, left, right }: CellRange): string | null {
  if (top === bottom && left === right) return at(top) ? (at(top)?.[left] ?? '') : null
  const lines: string[] = []
  for (let index = top; index <= bottom; index++) {
    const row = at(index)
    if (!row) return null
    lines.push(line(row.slice(left, right + 1)))
  }
  return lines.join('\n')
}

const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')

/** The same as a table, for what takes one, such as a mail. Null as above. */
export function toHtml({ at }: Pick<GridRows, 'at'>, { top, bottom, left, right }: CellRange): string | null {
  const lines: string[] = []
  for (let index = top; index <= bottom; index++) {
    const row = at(index)
    if (!row) return null
    const cells = row.slice(left, right + 1).map((value) => `<td>${escaped(value ?? '')}</td>`)
    lines.push(`<tr>${cells.join('')}</tr>`)
  }
  return `<table>${lines.join('')}</table>`
}

/** Values of the range of which only the beginning is here. */
export function cutIn(
  { lengthAt }: Pick<GridRows, 'lengthAt'>,
  { top, bottom, left, right }: CellRange,
): number {
  let cut = 0
  for (let row = top; row <= bottom; row++)
    for (let column = left; column <= right; column++) if (lengthAt(row, column) !== undefined) cut++
  return cut
}

export const tableToTsv = (names: readonly string[], rows: readonly GridCells[]): string =>
  [names, ...rows].map(line).join('\n')
