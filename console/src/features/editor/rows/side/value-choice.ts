import { readCellFilter } from '@boathouse/contract/cell-filter'
import { LIMITS } from '@boathouse/contract/limits'
import type { ValueChoice } from '../../../../statement/statistics/statistics-view.tsx'
import { filterRows } from '../view/row-view.ts'
import type { ResultView } from '../view/use-result-view.ts'

const written = (value: string | null): string => (value === null ? 'null' : `= ${value}`)

/** Whether a filter can say exactly this value. */
function canBeWritten(value: string | null, isCut: boolean): boolean {
  if (value === null) return true
  const filter = readCellFilter(written(value))
  const isSame = filter?.kind === 'compare' && filter.operand === value
  return isSame && !isCut && written(value).length <= LIMITS.filterLength
}

/** A click on a value shows its rows alone, another click all of them again. */
export function valueChoice(view: ResultView, column: number): ValueChoice {
  const isChosen = (value: string | null) => view.rowView.filters.get(column) === written(value)
  return {
    isPossible: canBeWritten,
    isChosen,
    choose: (value) =>
      view.arrangeRows((before) => filterRows(before, column, isChosen(value) ? '' : written(value))),
  }
}
