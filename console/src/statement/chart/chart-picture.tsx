import type { CSSProperties } from 'react'
import type { ChartSettings } from '@boathouse/contract/editor'
import '../../i18n/chart.ts'
import { t } from '../../i18n/texts.ts'
import { EmptyState } from '../../ui/index.ts'
import type { ChartData } from './chart-data.ts'
import { Drawing } from './drawing.tsx'
import { grouped } from './grouped.ts'
import styles from './chart.module.css'

const exact = (count: number): string => count.toLocaleString('en-US')

export const isDrawable = ({ series, points }: ChartData): boolean => series.length > 0 && points.length > 0

/** Rows as a picture, or what to do where nothing can be drawn of them. */
export function ChartPicture({ settings, data }: { settings: ChartSettings; data: ChartData }) {
  const { kind } = settings
  if (!isDrawable(data) && kind === 'number')
    return <EmptyState title={t('chart.noNumber')}>{t('chart.noNumberBody')}</EmptyState>
  if (!isDrawable(data)) return <EmptyState title={t('chart.nothing')}>{t('chart.nothingBody')}</EmptyState>
  if (kind === 'number') return <BigNumber data={data} />
  return (
    <Drawing
      key={kind}
      look={{ ...settings, kind, ...(data.series.length < 2 && { stack: 'none' }) }}
      data={data}
    />
  )
}

function BigNumber({ data: { series, points } }: { data: ChartData }) {
  const text = grouped(points[0]?.texts[0] ?? '')
  const size = { '--characters': Math.max(1, text.length) } as CSSProperties
  return (
    <p className={styles['number']} style={size}>
      <strong>{text}</strong>
      <span className={styles['note']}>
        {series[0]}
        {points.length > 1 && `, ${t('chart.firstOf', { rows: exact(points.length) })}`}
      </span>
    </p>
  )
}
