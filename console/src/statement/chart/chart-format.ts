import type { ChartSettings } from '@boathouse/contract/editor'
import { formatBytes, formatCount } from '../../lib/format.ts'

type Format = ChartSettings['format']

const money = (currency: string) =>
  new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: 2,
  }).format

const FORMATS: Readonly<Record<Format, (value: number) => string>> = {
  short: formatCount,
  exact: new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 }).format,
  // As engines compute shares: 0.12 is 12 %.
  percent: new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 }).format,
  usd: money('USD'),
  eur: money('EUR'),
  bytes: (value) => (value < 0 ? `-${formatBytes(-value)}` : formatBytes(value)),
}

/** A number beside an axis. */
export const axisText = (value: number, format: Format): string => FORMATS[format](value)
