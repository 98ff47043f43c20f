const long = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const dayAndMonth = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const weekday = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

const MONTHS_SHOWN = 12

/** `2026-11` as November 2026. */
export const monthName = (month: string): string => long.format(new Date(`${month}-01T00:00:00Z`))
export const dayName = (date: string): string => weekday.format(new Date(`${date}T00:00:00Z`))

/** The month of a moment in UTC, whatever the reader's own time zone. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

/** The last day before a month begins. */
export const lastDayBefore = (iso: string): string =>
  dayAndMonth.format(new Date(new Date(iso).getTime() - 1))

/** This month and those before, newest first. */
export function latestMonths(now: Date): string[] {
  return Array.from({ length: MONTHS_SHOWN }, (_, back) =>
    monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1))),
  )
}

/** Two places, for reading at a glance, rounded as the server does; tables have all of them. */
export function cents(usd: string): string {
  const [whole = '0', fraction = ''] = usd.split('.')
  const all = (BigInt(whole + fraction.padEnd(6, '0').slice(0, 6)) + 5_000n) / 10_000n
  return `${all / 100n}.${String(all % 100n).padStart(2, '0')}`
}
export const inCcu = (ccu: string): string => String(Number(Number(ccu).toFixed(3)))
