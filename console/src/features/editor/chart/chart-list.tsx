import type { ChartSettings } from '@boathouse/contract/editor'
import { LIMITS } from '@boathouse/contract/limits'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import styles from '../../../statement/chart/chart.module.css'
import { Button, IconButton, Segmented } from '../../../ui/index.ts'
import { IconX } from '../../../ui/icons.ts'
import { type Charts, withAgain, without } from './charts.ts'

interface Props {
  readonly charts: Charts
  readonly onChange: (charts: Charts) => void
}

interface Removed {
  readonly chart: ChartSettings
  readonly at: number
}

/** Which of several charts of the same rows is shown. One alone needs no list. */
export function ChartList({ charts, onChange }: Props) {
  const { all, at } = charts
  const [removed, setRemoved] = useState<Removed | null>(null)
  const change = (next: Charts, gone: Removed | null = null) => {
    setRemoved(gone)
    onChange(next)
  }
  // Another chart may have taken its place.
  const isRestorable = removed !== null && all.length < LIMITS.charts
  if (all.length === 1 && !isRestorable) return null
  const chart = all[at]
  return (
    <div className={styles['list-of-charts']}>
      {all.length > 1 && (
        <Segmented
          label={t('chart.charts')}
          value={String(at)}
          segments={all.map((_, place) => ({
            value: String(place),
            label: t('chart.numbered', { number: place + 1 }),
          }))}
          onChange={(place) => change({ all, at: Number(place) })}
        />
      )}
      {all.length > 1 && chart && (
        <IconButton
          size="sm"
          label={t('chart.remove', { number: at + 1 })}
          onClick={() => change(without(charts), { chart, at })}
        >
          <IconX size={14} aria-hidden />
        </IconButton>
      )}
      {isRestorable && (
        <Button size="sm" onClick={() => change(withAgain(charts, removed.chart, removed.at))}>
          {t('chart.restore', { number: removed.at + 1 })}
        </Button>
      )}
    </div>
  )
}
