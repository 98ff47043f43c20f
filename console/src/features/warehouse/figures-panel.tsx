import { type ReactNode, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { Panel, Segmented, Skeleton } from '../../ui/index.ts'

interface Props {
  readonly title: string
  /** The same figures, drawn and listed; undefined while they are not known. */
  readonly shown: { readonly chart: ReactNode; readonly table: ReactNode } | undefined
}

type View = 'chart' | 'table'

/** Figures as a chart or as a table, whichever one can read. */
export function FiguresPanel({ title, shown }: Props) {
  const [view, setView] = useState<View>('chart')
  const views = [
    { value: 'chart', label: t('warehouse.detail.chart') },
    { value: 'table', label: t('warehouse.detail.table') },
  ] as const
  return (
    <Panel
      title={title}
      actions={
        <Segmented
          label={t('warehouse.detail.view', { figures: title })}
          value={view}
          segments={views}
          onChange={setView}
        />
      }
    >
      {!shown && <Skeleton height={150} />}
      {shown && view === 'chart' && shown.chart}
      {shown && view === 'table' && shown.table}
    </Panel>
  )
}
