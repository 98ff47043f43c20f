import { t } from '../../i18n/texts.ts'
import type { GridColumn } from './grid-columns.ts'
import { GridRow } from './grid-row.tsx'
import type { GridDisplay } from './grid-row.tsx'
import type { GridRows } from './grid-rows.ts'
import type { Cell, CellRange } from './grid-selection.ts'
import type { useGridColumns } from './use-grid-columns.ts'

export const ROW_PX = 26

/** The focused row is always drawn, so that what is read out exists. */
function drawnRows({ first, last }: { first: number; last: number }, focus: number | undefined): number[] {
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  if (focus === undefined || focus < 0 || (focus >= first && focus <= last)) return shown
  return focus < first ? [focus, ...shown] : [...shown, focus]
}

const NOTHING = { from: -1, to: -1 }
const selectedIn = (range: CellRange | null, row: number) =>
  range && row >= range.top && row <= range.bottom ? { from: range.left, to: range.right } : NOTHING

interface Props {
  readonly gridId: string
  readonly rows: GridRows
  readonly layout: { readonly first: number; readonly last: number; readonly shift: number }
  readonly range: CellRange | null
  readonly active: Cell | undefined
  readonly found: ReadonlyMap<number, ReadonlySet<number>> | undefined
  readonly display: GridDisplay | undefined
  readonly width: number
  readonly columns: readonly GridColumn[]
  readonly items: ReturnType<typeof useGridColumns>['items']
  readonly pinned: number
}

/** The rows on the screen, and the one that the keyboard is in. */
export function DrawnRows({ gridId, rows, layout, range, active, found, ...shared }: Props) {
  return drawnRows(layout, active?.row).map((index) => {
    const selected = selectedIn(range, index)
    return (
      <GridRow
        key={index}
        gridId={gridId}
        row={rows.at(index)}
        lengthAt={rows.lengthAt}
        index={index}
        top={index * ROW_PX + layout.shift}
        {...shared}
        found={found?.get(index)}
        selectedFrom={selected.from}
        selectedTo={selected.to}
        focusColumn={active?.row === index ? active.column : -1}
        nullText={t('grid.null')}
      />
    )
  })
}
