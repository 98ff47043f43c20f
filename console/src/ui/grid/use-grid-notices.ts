import { useEffect } from 'react'
import '../../i18n/grid.ts'
import { t } from '../../i18n/texts.ts'
import { notify } from '../toasts.tsx'
import type { Cell, CellRange } from './grid-selection.ts'
import type { Copied } from './use-grid-selection.ts'

export function notifyCopied(copied: Copied): void {
  if (copied.isMissing) notify({ tone: 'warn', message: t('grid.notAllHere') })
  else if (copied.cut > 0) notify({ tone: 'warn', message: t('grid.copiedCut', { count: copied.cut }) })
  else notify({ tone: 'ok', message: t('ui.copySucceeded') })
}

/** Reports a selection of more than one cell. */
export function useOnSelect(
  range: CellRange | null,
  onSelect: ((range: CellRange | null) => void) | undefined,
): void {
  const { top = 0, bottom = 0, left = 0, right = 0 } = range ?? {}
  const isSeveral = range !== null && (top !== bottom || left !== right)
  useEffect(() => {
    onSelect?.(isSeveral ? { top, bottom, left, right } : null)
  }, [onSelect, isSeveral, top, bottom, left, right])
}

/** Reports the cell that the keyboard is in. */
export function useOnActive(
  active: Cell | undefined,
  onActive: ((cell: Cell | null) => void) | undefined,
): void {
  const { row, column } = active ?? {}
  useEffect(() => {
    onActive?.(row === undefined || column === undefined ? null : { row, column })
  }, [onActive, row, column])
}
