import type { PivotSettings } from '@boathouse/contract/pivot'
import type { PivotTable } from '@boathouse/contract/result-work'
import { t } from '../../../i18n/texts.ts'
import { figureText } from '../../../statement/statistics/statistics.ts'
import type { GridCells } from '../../../ui/grid/grid-rows.ts'
import { OF_ROWS } from './pivot-columns.ts'

export interface PivotColumn {
  readonly name: string
  readonly type: string
  readonly family: 'text' | 'number'
  /** By which a click on it sorts: names, or the total of a value; undefined: by nothing. */
  readonly sort: { readonly value: number | null } | undefined
}

type Value = PivotSettings['values'][number]

const valueName = ({ column, aggregate }: Value): string =>
  column === OF_ROWS ? t('pivot.allRows') : t(`pivot.valueName.${aggregate}`, { name: column })

const named = (name: string | null): string => name ?? 'NULL'

const number = (name: string, value?: number): PivotColumn => ({
  name,
  type: '',
  family: 'number',
  sort: value === undefined ? undefined : { value },
})

/** A pivot as the grid shows it, its totals last. */
export function pivotGrid(
  { heads, rows, totals }: PivotTable,
  { rows: names, columns, values }: PivotSettings,
) {
  const isSingle = values.length === 1
  const shown: PivotColumn[] = [
    ...names.map((name): PivotColumn => ({ name, type: '', family: 'text', sort: { value: null } })),
    ...heads.flatMap((head) => {
      const over = head.map(named).join(' / ')
      return values.map((value) =>
        number(isSingle ? over : t('pivot.headOf', { head: over, value: valueName(value) })),
      )
    }),
    ...values.map((value, at) =>
      number(
        columns.length === 0
          ? valueName(value)
          : isSingle
            ? t('pivot.total')
            : t('pivot.totalOf', { value: valueName(value) }),
        at,
      ),
    ),
  ]
  // Averages have digits that say nothing.
  const figure = (text: string | null, at: number) =>
    text !== null && values[at % values.length]?.aggregate === 'average' ? figureText(text) : text
  const cellsOf = (of: PivotTable['totals']) => [...of.cells.map(figure), ...of.totals.map(figure)]
  const lines: GridCells[] = [
    ...rows.map((row) => [...row.names.map(named), ...cellsOf(row)]),
    [...names.map((_, at) => (at === 0 ? t('pivot.total') : '')), ...cellsOf(totals)],
  ]
  return { columns: shown, lines }
}
