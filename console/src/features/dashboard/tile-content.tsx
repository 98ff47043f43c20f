import type { Output } from '@boathouse/contract/call'
import type { dashboard as calls, Tile } from '@boathouse/contract/dashboard'
import { useMemo } from 'react'
import { t } from '../../i18n/texts.ts'
import { fittingSettings, type ChartRows } from '../../statement/chart/chart-columns.ts'
import { chartData } from '../../statement/chart/chart-data.ts'
import { ChartPicture } from '../../statement/chart/chart-picture.tsx'
import chartStyles from '../../statement/chart/chart.module.css'
import { EmptyState } from '../../ui/index.ts'
import styles from './dashboard.module.css'

export type TileRows = Output<typeof calls.rows>

type DrawnTile = Pick<Tile, 'title' | 'kind' | 'chart'>

/** More are not read on a page of many tiles. */
const MOST_ROWS = 200

/** The keyboard must be able to reach what scrolls. */
const SCROLLS = { tabIndex: 0, role: 'region' } as const

const exact = (count: number): string => count.toLocaleString('en-US')

export const chartRowsOf = ({ fields, rows }: TileRows): ChartRows => ({
  columns: fields,
  grid: { count: rows.length, at: (index) => rows[index], lengthAt: () => undefined },
  rows: rows.length,
})

/** How a tile draws its rows. */
export const settingsOf = ({ kind, chart }: Pick<Tile, 'kind' | 'chart'>, rows: ChartRows) => {
  const settings = fittingSettings(chart, rows)
  return kind === 'number' ? { ...settings, kind } : settings
}

export function TileContent({ tile, rows }: { tile: DrawnTile; rows: TileRows }) {
  if (rows.rows.length === 0) return <EmptyState title={t('dashboards.tile.noRows')}>{null}</EmptyState>
  return tile.kind === 'table' ? <RowsTable tile={tile} rows={rows} /> : <Drawn tile={tile} rows={rows} />
}

function Drawn({ tile, rows }: { tile: DrawnTile; rows: TileRows }) {
  const drawn = useMemo(() => {
    const parts = chartRowsOf(rows)
    const settings = settingsOf(tile, parts)
    return { settings, data: chartData(settings, parts) }
  }, [tile, rows])
  return (
    <div className={chartStyles['alone']}>
      <ChartPicture settings={drawn.settings} data={drawn.data} />
    </div>
  )
}

function RowsTable({ tile, rows: { fields, rows, totalRows } }: { tile: DrawnTile; rows: TileRows }) {
  const shown = rows.slice(0, MOST_ROWS)
  const title = tile.title || t('dashboards.tile.untitled')
  return (
    <>
      <div className={styles['rows']} {...SCROLLS} aria-label={t('dashboards.tile.rows', { title })}>
        <table>
          <thead>
            <tr>
              {fields.map(({ name, family }, at) => (
                <th key={at} scope="col" data-family={family}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={index}>
                {row.map((cell, at) => (
                  <td key={at} data-family={fields[at]?.family} data-null={cell === null || undefined}>
                    {cell ?? t('dashboards.tile.isNull')}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {totalRows > shown.length && (
        <p className={styles['note']}>
          {t('dashboards.tile.shown', { shown: exact(shown.length), all: exact(totalRows) })}
        </p>
      )}
    </>
  )
}
