/** `01:02:03.450` as `01:02:03.45`, and `+02:00` behind it as `+02`: as few digits as say the same. */
export const withoutZeros = (text: string): string =>
  text
    .replace(/(:\d\d)(\.\d*?)0*(?=$|[+-])/, (_, seconds: string, fraction: string) =>
      fraction === '.' ? seconds : seconds + fraction,
    )
    .replace(/([+-]\d\d):00$/, '$1')

const INSTANT = /^(.*\d\d:\d\d:\d\d(?:\.\d+)?) (\S+)$/

/** Local time and zone, as `2026-01-31 12:00:00.000 Europe/Berlin`, as local time and offset: `2026-01-31 12:00:00+01`. */
export function instantText(text: string): string {
  const [, local, zone] = INSTANT.exec(text) ?? []
  if (local === undefined || zone === undefined) return text
  return withoutZeros(local) + offsetText(/^[+-]/.test(zone) ? secondsOf(zone) : offsetAt(zone, local))
}

function secondsOf(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60)
}

function offsetText(seconds: number): string {
  const absolute = Math.abs(seconds)
  const parts = [Math.floor(absolute / 3600), Math.floor(absolute / 60) % 60, absolute % 60]
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop()
  return (seconds < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(':')
}

const zones = new Map<string, Intl.DateTimeFormat>()
/** More than exist. */
const MOST_ZONES = 1000

function zoneOf(name: string): Intl.DateTimeFormat {
  const known = zones.get(name)
  if (known) return known
  const zone = new Intl.DateTimeFormat('en', { timeZone: name, timeZoneName: 'longOffset' })
  if (zones.size < MOST_ZONES) zones.set(name, zone)
  return zone
}

/** Of a local time in a zone: that of the same time in UTC is the right one, or a change away from it. */
function offsetAt(zone: string, local: string): number {
  const utcMs = Date.parse(`${local.slice(0, 19).replace(' ', 'T')}Z`)
  if (zone === 'UTC' || Number.isNaN(utcMs)) return 0
  const first = offsetOfInstant(zone, utcMs)
  return offsetOfInstant(zone, utcMs - first * 1000)
}

function offsetOfInstant(zone: string, ms: number): number {
  const name = zoneOf(zone)
    .formatToParts(ms)
    .find(({ type }) => type === 'timeZoneName')?.value
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(name ?? '') ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds))
}

const counted = (count: number, unit: string): string => `${count} ${unit}${Math.abs(count) === 1 ? '' : 's'}`

/** `1-2` of years and months, and `3 04:05:06.000` of days and time, with one sign for all of it. */
export function intervalText(text: string): string {
  const sign = text.startsWith('-') ? -1 : 1
  const [, years, months] = /^-?(\d+)-(\d+)$/.exec(text) ?? []
  if (years !== undefined && months !== undefined) {
    const parts = [
      Number(years) > 0 ? counted(sign * Number(years), 'year') : '',
      Number(months) > 0 ? counted(sign * Number(months), 'month') : '',
    ]
    return parts.filter((part) => part !== '').join(' ') || '00:00:00'
  }
  const [, days = '0', time = text] = /^-?(\d+) (.*)$/.exec(text) ?? []
  const clock = withoutZeros(time)
  const shownDays = Number(days) > 0 ? counted(sign * Number(days), 'day') : ''
  const shownTime = clock === '00:00:00' && shownDays !== '' ? '' : `${sign < 0 ? '-' : ''}${clock}`
  return [shownDays, shownTime].filter((part) => part !== '').join(' ')
}
