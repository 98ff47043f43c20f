import type { Output } from '@boathouse/contract/call'
import type { usage } from '@boathouse/contract/usage'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { formatSeconds } from '../../lib/format.ts'
import { BarChart, DataTable, Panel, Segmented } from '../../ui/index.ts'
import { costColumns } from './cost-columns.ts'
import { cents, dayName } from './month-names.ts'
import styles from './usage.module.css'

type Day = Output<typeof usage.summary>['days'][number]
type Unit = 'usd' | 'ccu'
type View = 'chart' | 'table'

interface Props {
  readonly days: readonly Day[]
  /** The last day is not over. */
  readonly isOpen: boolean
}

/** As bars, and the same as a table. */
export function UsageGraph({ days, isOpen }: Props) {
  const [unit, setUnit] = useState<Unit>('usd')
  const [view, setView] = useState<View>('chart')
  const title = unit === 'usd' ? t('usage.costPerDay') : t('usage.ccuPerDay')
  const actions = (
    <div className={styles['tools']}>
      <Segmented
        label={t('usage.unit')}
        value={unit}
        onChange={setUnit}
        segments={[
          { value: 'usd', label: 'USD' },
          { value: 'ccu', label: 'CCU' },
        ]}
      />
      <Segmented
        label={t('usage.view')}
        value={view}
        onChange={setView}
        segments={[
          { value: 'chart', label: t('usage.chart') },
          { value: 'table', label: t('usage.table') },
        ]}
      />
    </div>
  )
  return (
    <Panel title={title} actions={actions}>
      {view === 'chart' ? (
        <Bars title={title} days={days} unit={unit} isOpen={isOpen} />
      ) : (
        <Days title={title} days={days} />
      )}
    </Panel>
  )
}

function Bars({ title, days, unit, isOpen }: Props & { title: string; unit: Unit }) {
  const bars = days.map((day, index) => {
    const isLast = isOpen && index === days.length - 1
    return {
      key: day.date,
      label: isLast && days.length < 16 ? t('usage.today') : String(Number(day.date.slice(8))),
      value: Number(unit === 'usd' ? day.totalUsd : day.ccu),
      detail: t('usage.dayDetail', {
        day: dayName(day.date),
        ccu: day.ccu,
        usd: cents(day.totalUsd),
        duration: formatSeconds(day.chargedSeconds),
      }),
      isOpen: isLast,
    }
  })
  return <BarChart label={title} bars={bars} />
}

function Days({ title, days }: { title: string; days: readonly Day[] }) {
  return (
    <DataTable
      inPanel
      label={title}
      rows={days}
      rowKey={({ date }) => date}
      columns={[
        { key: 'day', header: t('usage.columns.day'), cell: ({ date }) => dayName(date) },
        {
          key: 'charged',
          header: t('usage.columns.charged'),
          align: 'end',
          cell: ({ chargedSeconds }) => formatSeconds(chargedSeconds),
        },
        { key: 'ccu', header: t('usage.columns.ccu'), align: 'end', cell: ({ ccu }) => ccu },
        ...costColumns<Day>(),
      ]}
    />
  )
}
