import { type Output } from '@boathouse/contract/call'
import { warehouse } from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatSeconds } from '../../lib/format.ts'
import { BarChart, DataTable } from '../../ui/index.ts'
import { FiguresPanel } from './figures-panel.tsx'

type Day = Output<typeof warehouse.usage>['days'][number]

const shortDay = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', timeZone: 'UTC' })
const longDay = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})
const dateOf = ({ date }: Day): Date => new Date(`${date}T00:00:00Z`)

/** The last seven days, as bars and as a table. */
export function UsagePanel({ warehouseId }: { warehouseId: string }) {
  const days = useCall(warehouse.usage, { warehouseId }).data?.days
  return (
    <FiguresPanel
      title={t('warehouse.detail.usage')}
      shown={days && { chart: <Bars days={days} />, table: <Days days={days} /> }}
    />
  )
}

function Bars({ days }: { days: readonly Day[] }) {
  const bars = days.map((day, index) => {
    const isToday = index === days.length - 1
    const duration = formatSeconds(day.chargedSeconds)
    return {
      key: day.date,
      label: isToday ? t('warehouse.detail.today') : shortDay.format(dateOf(day)),
      value: Number(day.ccu),
      detail: t('warehouse.detail.dayDetail', {
        day: longDay.format(dateOf(day)),
        ccu: day.ccu,
        usd: day.usd,
        idle: day.idle.usd,
        duration,
      }),
      isOpen: isToday,
    }
  })
  return <BarChart label={t('warehouse.detail.usage')} bars={bars} />
}

function Days({ days }: { days: readonly Day[] }) {
  return (
    <DataTable
      inPanel
      label={t('warehouse.detail.usage')}
      rows={days}
      rowKey={({ date }) => date}
      columns={[
        {
          key: 'day',
          header: t('warehouse.detail.usageColumns.day'),
          cell: (day) => longDay.format(dateOf(day)),
        },
        {
          key: 'ccu',
          header: t('warehouse.detail.usageColumns.ccu'),
          align: 'end',
          cell: ({ ccu }) => ccu,
        },
        {
          key: 'usd',
          header: t('warehouse.detail.usageColumns.usd'),
          align: 'end',
          cell: ({ usd }) => usd,
        },
        {
          key: 'idle',
          header: t('warehouse.detail.usageColumns.idle'),
          align: 'end',
          cell: ({ idle }) => idle.usd,
        },
        {
          key: 'charged',
          header: t('warehouse.detail.usageColumns.charged'),
          align: 'end',
          cell: ({ chargedSeconds }) => formatSeconds(chargedSeconds),
        },
      ]}
    />
  )
}
