const INFINITE_64 = 2n ** 63n - 1n
const INFINITE_DAYS = 2 ** 31 - 1
const SECONDS_PER_DAY = 86_400n
const DAYS_IN_400_YEARS = 146_097

export function dateText(days: number): string {
  if (days === INFINITE_DAYS) return 'infinity'
  if (days === -INFINITE_DAYS) return '-infinity'
  // JavaScript's calendar is asked within reach; the whole cycles are put back afterwards.
  const cycles = Math.floor(days / DAYS_IN_400_YEARS)
  const date = new Date((days - cycles * DAYS_IN_400_YEARS) * 86_400_000)
  const year = date.getUTCFullYear() + cycles * 400
  const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()]
  // There is no year 0: the one before 1 is 1 (BC).
  const text = `${padded(year > 0 ? year : 1 - year, 4)}-${padded(month, 2)}-${padded(day, 2)}`
  return year > 0 ? text : `${text} (BC)`
}

/** Ticks since 1970, of which `perSecond` make a second. All units use the same two numbers for the infinities. */
export function timestampText(ticks: bigint, perSecond: bigint): string {
  if (ticks === INFINITE_64) return 'infinity'
  if (ticks === -INFINITE_64) return '-infinity'
  const perDay = SECONDS_PER_DAY * perSecond
  const inDay = ((ticks % perDay) + perDay) % perDay
  return `${dateText(Number((ticks - inDay) / perDay))} ${timeText(inDay, perSecond)}`
}

function timeText(ticks: bigint, perSecond: bigint): string {
  const seconds = Number(ticks / perSecond)
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const digits = String(perSecond).length - 1
  const fraction = padded(ticks % perSecond, digits).replace(/0+$/, '')
  return clock.map((part) => padded(part, 2)).join(':') + (fraction && `.${fraction}`)
}

function padded(number: number | bigint, digits: number): string {
  return digits === 0 ? '' : String(number).padStart(digits, '0')
}

const MICROS = 1_000_000n

/** Local time and offset in the session's time zone. */
export function timestampTzText(micros: bigint, zone: TimeZone): string {
  if (micros === INFINITE_64 || micros === -INFINITE_64) return timestampText(micros, MICROS)
  const offset = zone.offsetSeconds(micros)
  return timestampText(micros + BigInt(offset) * MICROS, MICROS) + offsetText(offset)
}

/** `+01`, `+05:30` or, in the days of local mean time, `+00:53:28`: without the seconds it would not read back. */
function offsetText(seconds: number): string {
  const absolute = Math.abs(seconds)
  const parts = [Math.floor(absolute / 3600), Math.floor(absolute / 60) % 60, absolute % 60]
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop()
  return (seconds < 0 ? '-' : '+') + parts.map((part) => padded(part, 2)).join(':')
}

export interface TimeZone {
  offsetSeconds(micros: bigint): number
}
