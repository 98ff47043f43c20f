import type { ChartSettings } from '@boathouse/contract/editor'

export const numberOf = (text: string | null | undefined): number | null => {
  const value = text === null || text === undefined || text === '' ? Number.NaN : Number(text)
  return Number.isFinite(value) ? value : null
}

/** Behind a time: the end of a mere day looks like one. */
const ZONE = /(:[\d.]+)[+-]\d\d(?::?\d\d)?$/

/** Milliseconds since 1970, in no zone of its own: as the texts are written. */
export const timeOf = (text: string | null | undefined): number | null => {
  const value = Date.parse(`${(text ?? '').replace(' ', 'T').replace(ZONE, '$1')}Z`)
  if (!Number.isNaN(value)) return value
  const day = Date.parse(text ?? '')
  return Number.isNaN(day) ? null : day
}

type Grain = Exclude<ChartSettings['grain'], 'none'>

const DAY_MS = 86_400_000
/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

const START_OF: Readonly<Record<Grain, (date: Date) => number>> = {
  hour: (date) => Math.floor(date.getTime() / 3_600_000) * 3_600_000,
  day: (date) => Math.floor(date.getTime() / DAY_MS) * DAY_MS,
  week: (date) =>
    Math.floor((date.getTime() - FIRST_MONDAY_MS) / (7 * DAY_MS)) * 7 * DAY_MS + FIRST_MONDAY_MS,
  month: (date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth()),
  quarter: (date) => Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / 3) * 3),
  year: (date) => Date.UTC(date.getUTCFullYear(), 0),
}

/** Where the hour, day, … of a time begins. */
export const startOf = (time: number, grain: Grain): number => START_OF[grain](new Date(time))

const LENGTHS: Readonly<Record<Grain, number>> = {
  hour: 16,
  day: 10,
  week: 10,
  month: 7,
  quarter: 4,
  year: 4,
}

/** 2026, 2026 Q1, 2026-03, 2026-03-02 or 2026-03-02 14:00. */
export function grainName(start: number, grain: Grain): string {
  const date = new Date(start)
  const text = date.toISOString().slice(0, LENGTHS[grain]).replace('T', ' ')
  return grain === 'quarter' ? `${text} Q${Math.floor(date.getUTCMonth() / 3) + 1}` : text
}

/** As many digits as a number is sure of. */
export const plainNumber = (value: number): string => String(Number(value.toPrecision(12)))
