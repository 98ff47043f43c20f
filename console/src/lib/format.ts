const SUFFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E'] as const
const ABSENT = '–'

const oneDecimal = (n: number): string => String(Math.round(n * 10) / 10)

function inSteps(amount: number, units: readonly string[]): { figure: string; unit: string } {
  let rest = amount
  let step = 0
  // Compared as shown: 999 950 would otherwise read 1000k.
  while (step < units.length - 1 && Math.round(rest * 10) / 10 >= 1000) {
    rest /= 1000
    step++
  }
  return { figure: oneDecimal(rest), unit: units[step] ?? '' }
}

/** 1234 is 1.2k; a step is 1000, with one decimal where it says something. */
export function formatCount(count: number): string {
  if (!Number.isFinite(count)) return ABSENT
  const { figure, unit } = inSteps(Math.abs(count), SUFFIXES)
  return `${count < 0 ? '-' : ''}${figure}${unit}`
}

const BYTE_UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** 640 B, 1.2 KB, 34 MB: a step is 1000, as in the sizes that operating systems show of downloads. */
export function formatBytes(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return ABSENT
  const { figure, unit } = inSteps(bytes, BYTE_UNITS)
  return `${figure} ${unit}`
}

/** 512 MiB, 2 GiB, 1.5 GiB: memory comes in powers of two. */
export function formatMemory(bytes: number): string {
  if (!Number.isFinite(bytes) || bytes < 0) return ABSENT
  const mib = bytes / 1024 ** 2
  return mib < 1024 ? `${oneDecimal(mib)} MiB` : `${oneDecimal(mib / 1024)} GiB`
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** 0.4 ms, 12 ms, 1.23 s, 2 min 5 s, 3 h 20 min, 4 d 1 h: two units at most. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return ABSENT
  if (ms < 10) return `${oneDecimal(ms)} ms`
  if (Math.round(ms) < SECOND) return `${Math.round(ms)} ms`
  if (Math.round(ms / 10) * 10 < MINUTE) return `${Math.round(ms / 10) / 100} s`
  const whole = Math.max(MINUTE, Math.floor(ms))
  if (whole < HOUR) return twoUnits(whole, { unit: MINUTE, name: 'min', part: SECOND, partName: 's' })
  if (whole < DAY) return twoUnits(whole, { unit: HOUR, name: 'h', part: MINUTE, partName: 'min' })
  return twoUnits(whole, { unit: DAY, name: 'd', part: HOUR, partName: 'h' })
}

/** The same of what is counted by the second: 0 s, 12 s, 2 min 5 s. */
export const formatSeconds = (seconds: number): string =>
  seconds < 1 ? '0 s' : formatDuration(Math.floor(seconds) * SECOND)

function twoUnits(ms: number, of: { unit: number; name: string; part: number; partName: string }): string {
  const parts = Math.floor((ms % of.unit) / of.part)
  return `${Math.floor(ms / of.unit)} ${of.name}${parts ? ` ${parts} ${of.partName}` : ''}`
}

const twoDigits = (n: number): string => String(n).padStart(2, '0')

/** Of the reader at this moment, which summer changes: UTC, UTC+1, UTC-3:30. */
export function formatZone(at: Date): string {
  const minutes = -at.getTimezoneOffset()
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : `:${twoDigits(rest)}`}`
}

/** In the reader's own time zone, which it names, sortable by eye: 2026-03-01 09:05:07 UTC+1. */
export function formatDateTime(iso: string): string {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return ABSENT
  const date = [
    String(at.getFullYear()).padStart(4, '0'),
    twoDigits(at.getMonth() + 1),
    twoDigits(at.getDate()),
  ]
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits)
  return `${date.join('-')} ${time.join(':')} ${formatZone(at)}`
}

const RELATIVE_STEPS = [
  { unit: 'second', ms: SECOND, below: MINUTE },
  { unit: 'minute', ms: MINUTE, below: HOUR },
  { unit: 'hour', ms: HOUR, below: DAY },
  { unit: 'day', ms: DAY, below: 30 * DAY },
  { unit: 'month', ms: 30 * DAY, below: 365 * DAY },
  { unit: 'year', ms: 365 * DAY, below: Number.POSITIVE_INFINITY },
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** 'now', '5 minutes ago', 'in 2 hours'; `now` in milliseconds since 1970. */
export function formatRelative(iso: string, now: number): string {
  const difference = new Date(iso).getTime() - now
  if (Number.isNaN(difference)) return ABSENT
  const step = RELATIVE_STEPS.find((one) => Math.abs(difference) < one.below)
  return step ? relative.format(Math.trunc(difference / step.ms), step.unit) : ABSENT
}
