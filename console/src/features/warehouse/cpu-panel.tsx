import type { WarehouseDetails } from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { formatZone } from '../../lib/format.ts'
import { BarChart, DataTable } from '../../ui/index.ts'
import { FiguresPanel } from './figures-panel.tsx'

interface Props {
  readonly of: WarehouseDetails
  /** When it was last loaded, in milliseconds since 1970. */
  readonly now: number
}

const HOUR_MS = 3_600_000
/** Below the bars there is room for the time of each fifth. */
const NAMED = 5

const clockTime = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })

interface Part {
  readonly from: string
  readonly until: string
  readonly percent: number | null
}

/** The last hour in parts of equal length, oldest first. */
function partsOf(trend: readonly (number | null)[], now: number): readonly Part[] {
  const at = (index: number): string =>
    clockTime.format(now - HOUR_MS + (index * HOUR_MS) / Math.max(1, trend.length))
  return trend.map((percent, index) => ({ from: at(index), until: at(index + 1), percent }))
}

const percentOf = ({ percent }: Part): string =>
  percent === null ? t('warehouse.detail.notRunning') : t('warehouse.detail.percent', { percent })

/** How busy the processors were in the last hour, as bars and as a table. Not there while it does not run. */
export function CpuPanel({ of: { cpu }, now }: Props) {
  if (!cpu) return null
  const title = t('warehouse.detail.cpuHour')
  const parts = partsOf(cpu.trend, now)
  const zone = formatZone(new Date(now))
  return (
    <FiguresPanel
      title={title}
      shown={{
        chart: (
          <BarChart
            label={title}
            bars={parts.map((part, index) => ({
              key: String(index),
              label: index % NAMED === 0 ? part.from : '',
              value: part.percent ?? 0,
              detail: `${part.from} – ${part.until} ${zone}: ${percentOf(part)}`,
              isOpen: index === parts.length - 1,
            }))}
          />
        ),
        table: (
          <DataTable
            inPanel
            label={title}
            rows={parts.toReversed()}
            rowKey={({ from }) => from}
            columns={[
              {
                key: 'time',
                header: t('warehouse.detail.cpuColumns.time', { zone }),
                cell: ({ from, until }) => `${from} – ${until}`,
              },
              {
                key: 'percent',
                header: t('warehouse.detail.cpuColumns.percent'),
                align: 'end',
                cell: percentOf,
              },
            ]}
          />
        ),
      }}
    />
  )
}
