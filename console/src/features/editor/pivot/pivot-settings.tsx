import { LIMITS } from '@boathouse/contract/limits'
import { PIVOT_AGGREGATES, type PivotSettings } from '@boathouse/contract/pivot'
import { t } from '../../../i18n/texts.ts'
import type { ChartColumn } from '../../../statement/chart/chart-columns.ts'
import styles from '../../../statement/chart/chart.module.css'
import { Select } from '../../../ui/index.ts'
import { ColumnNames, optionOf, REMOVED, removal } from '../rows/column-names.tsx'
import { aggregatesOf, OF_ROWS } from './pivot-columns.ts'

interface Props {
  readonly settings: PivotSettings
  readonly columns: readonly ChartColumn[]
  readonly onChange: (change: Partial<PivotSettings>) => void
}

/** Which columns are names, heads and values. */
export function PivotSettingsPanel({ settings, columns, onChange }: Props) {
  const { rows, columns: heads } = settings
  // What is chosen here moves from where it was.
  const without = (names: readonly string[]) => columns.filter(({ name }) => !names.includes(name))
  return (
    <aside className={styles['settings']} aria-label={t('pivot.settings')}>
      <ColumnNames
        label={(number) => t('pivot.row', { number })}
        add={t('pivot.addRow')}
        most={LIMITS.pivotRows}
        names={rows}
        free={without(rows)}
        onChange={(next) => onChange({ rows: next, columns: heads.filter((name) => !next.includes(name)) })}
      />
      <ColumnNames
        label={(number) => t('pivot.column', { number })}
        add={t('pivot.addColumn')}
        most={LIMITS.pivotColumns}
        names={heads}
        free={without(heads)}
        onChange={(next) => onChange({ columns: next, rows: rows.filter((name) => !next.includes(name)) })}
      />
      <Values settings={settings} columns={columns} onChange={onChange} />
    </aside>
  )
}

function Values({ settings: { values }, columns, onChange }: Props) {
  const options = [
    { value: OF_ROWS, label: t('pivot.allRows') },
    ...columns.map(({ name }) => optionOf(name)),
  ]
  const valueOf = (column: string, wanted: PivotSettings['values'][number]['aggregate']) => {
    const possible = aggregatesOf({ columns }, column, PIVOT_AGGREGATES)
    return { column, aggregate: possible.includes(wanted) ? wanted : (possible[0] ?? 'count') }
  }
  return (
    <>
      {values.map(({ column, aggregate }, at) => (
        <div key={at} className={styles['pair']}>
          <Select
            label={t('pivot.value', { number: at + 1 })}
            searchable
            options={values.length > 1 ? [removal(), ...options] : options}
            value={column}
            onChange={(next) =>
              onChange({
                values:
                  next === REMOVED
                    ? values.filter((_, own) => own !== at)
                    : values.with(at, valueOf(next, aggregate)),
              })
            }
          />
          {column !== OF_ROWS && (
            <Select
              label={t('pivot.aggregate', { number: at + 1 })}
              options={aggregatesOf({ columns }, column, PIVOT_AGGREGATES).map((one) => ({
                value: one,
                label: t(`pivot.aggregates.${one}`),
              }))}
              value={aggregate}
              onChange={(next) => {
                const chosen = PIVOT_AGGREGATES.find((one) => one === next)
                if (chosen) onChange({ values: values.with(at, { column, aggregate: chosen }) })
              }}
            />
          )}
        </div>
      ))}
      {values.length < LIMITS.pivotValues && (
        <Select
          key={`add ${values.length}`}
          label={t('pivot.addValue')}
          searchable
          placeholder={t('pivot.choose')}
          options={options}
          value={null}
          onChange={(name) => onChange({ values: [...values, valueOf(name, 'sum')] })}
        />
      )}
    </>
  )
}
