import type { Row } from '@boathouse/contract/realtime'
import { useCallback } from 'react'
import { t } from '../../../i18n/texts.ts'
import { notify, useCopy } from '../../../ui/index.ts'
import { cutIn } from '../../../ui/grid/grid-tsv.ts'
import type { CellRange } from '../../../ui/grid/grid-selection.ts'
import { copyAs } from './copy-formats.ts'
import type { CopyFormat } from './copy-formats.ts'
import { WINDOW_ROWS } from './row-windows.ts'
import type { ResultView } from './view/use-result-view.ts'

/** More is better downloaded than put into the clipboard. */
const MOST_COPIED_ROWS = 50_000

/** The rows of a range, those that are not here yet fetched from where they are kept. */
async function rowsOf(view: ResultView, { top, bottom }: CellRange): Promise<Row[]> {
  const { grid, columns } = view
  const found: Row[] = []
  for (let at = top; at <= bottom;) {
    const here = grid.at(at)
    if (here) {
      found.push([...here])
      at++
      continue
    }
    const limit = Math.min(WINDOW_ROWS, bottom - at + 1)
    const rows = await view.fetchRows(at, limit)
    if (rows.length === 0) return found
    found.push(...rows.map((row) => columns.map(({ id }) => row[id] ?? null)))
    at += rows.length
  }
  return found
}

/** Copies a range in a format, also where its rows are not loaded. */
export function useCopyRange(view: ResultView) {
  const copy = useCopy()
  return useCallback(
    async (format: CopyFormat, range: CellRange) => {
      const columns = view.columns.slice(range.left, range.right + 1)
      if (range.bottom - range.top >= MOST_COPIED_ROWS) {
        const most = MOST_COPIED_ROWS.toLocaleString('en-US')
        return void notify({ tone: 'warn', message: t('editor.copy.tooMany', { most }) })
      }
      try {
        const found = await rowsOf(view, range)
        const cells = found.map((row) => row.slice(range.left, range.right + 1))
        copy(copyAs(format, { columns, rows: cells }))
        const cut = cutIn(view.grid, range)
        if (cut > 0) notify({ tone: 'warn', message: t('grid.copiedCut', { count: cut }) })
      } catch {
        // The call itself tells why the rows could not be read.
      }
    },
    [copy, view],
  )
}
