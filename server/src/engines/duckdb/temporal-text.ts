import { DuckDBDateValue, DuckDBTimestampValue } from '@duckdb/node-api'

const MICROS_PER_SECOND = 1_000_000n
const INFINITE_64 = 2n ** 63n - 1n
const INFINITE_DAYS = 2 ** 31 - 1
// The furthest instant JavaScript can name; DuckDB's timestamps reach further.
const FURTHEST_MILLIS = 8.64e15

export function dateText(days: number): string {
  if (days === INFINITE_DAYS) return 'infinity'
  if (days === -INFINITE_DAYS) return '-infinity'
  return new DuckDBDateValue(days).toString()
}

/** Ticks of any unit: every unit uses the same two numbers for the infinities. */
export function timestampText(value: { toString(): string }, ticks: bigint): string {
  if (ticks === INFINITE_64) return 'infinity'
  if (ticks === -INFINITE_64) return '-infinity'
  return value.toString()
}

/** Local time and offset in the session's time zone. */
export function timestampTzText(micros: bigint, zone: TimeZone): string {
  if (micros === INFINITE_64) return 'infinity'
  if (micros === -INFINITE_64) return '-infinity'
  const offset = zone.offsetSeconds(micros)
  const local = new DuckDBTimestampValue(micros + BigInt(offset) * MICROS_PER_SECOND)
  return `${local.toString()}${offsetText(offset)}`
}

/** `+01`, `+05:30` or, in the days of local mean time, `+00:53:28`: without the seconds it would not read back. */
function offsetText(seconds: number): string {
  const absolute = Math.abs(seconds)
  const parts = [Math.floor(absolute / 3600), Math.floor(absolute / 60) % 60, absolute % 60]
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop()
  return (seconds < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(':')
}

export interface TimeZone {
  offsetSeconds(micros: bigint): number
}

const UTC: TimeZone = { offsetSeconds: () => 0 }

/** A zone that only DuckDB knows is shown in UTC: another local time, the same instant. */
export function timeZone(name: string): TimeZone {
  if (name === 'UTC' || name === 'Etc/UTC') return UTC
  const format = zoneFormat(name)
  if (!format) return UTC
  return {
    offsetSeconds(micros) {
      const millis = Number(micros / 1000n)
      const within = Math.max(-FURTHEST_MILLIS, Math.min(FURTHEST_MILLIS, millis))
      const name = format.formatToParts(within).find((part) => part.type === 'timeZoneName')?.value
      return secondsOf(name ?? 'GMT')
    },
  }
}

function zoneFormat(name: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function secondsOf(longOffset: string): number {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT(?:([+\-\u2212])(\d+):(\d+)(?::(\d+))?)?$/.exec(longOffset) ?? []
  const absolute = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return sign === '+' || absolute === 0 ? absolute : -absolute
}
