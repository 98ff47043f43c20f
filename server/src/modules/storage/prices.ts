import { UNITS_PER_MICRO_USD, type Units } from '../../kernel/money.ts'
import { type Price, priceAt, type PriceQuestion } from '../warehouse/prices.ts'

/** For a GB (10^9 bytes) kept for a month. A new price is a new row. */
const STORAGE_PRICES: readonly Price[] = [
  { from: '2026-01-01', region: '*', edition: 'lake', microUsd: 25_000 },
  { from: '2026-01-01', region: '*', edition: 'standard', microUsd: 25_000 },
]

export const microUsdPerGbMonth = (question: PriceQuestion, prices = STORAGE_PRICES): number =>
  priceAt(prices, question)

const HOUR_MS = 3_600_000
const BYTES_PER_GB = 1_000_000_000n

/** Hours of the month, UTC, that a day is in. */
export function hoursOfMonth(day: string): number {
  const from = new Date(`${day.slice(0, 7)}-01T00:00:00Z`)
  return (Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1) - from.getTime()) / HOUR_MS
}

export interface StoredHour {
  readonly hour: Date
  readonly bytes: number
  readonly microUsd: number
}

/** What an hour of it costs; less than a unit is not charged. Sums are sums of hours, however they are grouped. */
export const unitsOfHour = ({ hour, bytes, microUsd }: StoredHour): Units =>
  (BigInt(bytes) * BigInt(microUsd) * UNITS_PER_MICRO_USD) /
  (BYTES_PER_GB * BigInt(hoursOfMonth(hour.toISOString())))

/** GB kept for a month, with six places. */
export function gbMonthsText(byteHours: bigint, month: string): string {
  const millionths = (byteHours * 1_000_000n) / (BYTES_PER_GB * BigInt(hoursOfMonth(month)))
  return `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`
}
