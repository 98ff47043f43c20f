import { TimeZoneDays } from './time-zone.ts'

/** When something runs, as five fields: minute, hour, day of the month, month, day of the week. */
export interface Cron {
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  /** Sunday is 0. */
  readonly weekdays: ReadonlySet<number>
  /** Where the day of the month and the day of the week are both given, one of them is enough. */
  readonly eitherDay: boolean
  /** Of every hour, so that it also runs in one that the clock has twice. */
  readonly everyHour: boolean
}

interface Field {
  /** With its article. */
  readonly name: string
  readonly least: number
  readonly most: number
  /** In the order of their numbers, from `least` on. */
  readonly words: readonly string[]
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const MINUTE: Field = { name: 'a minute', least: 0, most: 59, words: [] }
const HOUR: Field = { name: 'an hour', least: 0, most: 23, words: [] }
const DAY: Field = { name: 'a day of the month', least: 1, most: 31, words: [] }
const MONTH: Field = { name: 'a month', least: 1, most: 12, words: MONTHS }
/** 7 is Sunday, too. */
const WEEKDAY: Field = { name: 'a day of the week', least: 0, most: 7, words: WEEKDAYS }

/** Why a text is not a cron expression. */
export class CronProblem extends Error {}

function numberIn(text: string, { name, least, most, words }: Field): number {
  const word = words.indexOf(text.toUpperCase())
  if (word >= 0) return word + least
  if (!/^\d{1,2}$/.test(text)) throw new CronProblem(`${text || 'Nothing'} is not ${name}.`)
  const value = Number(text)
  if (value < least || value > most)
    throw new CronProblem(`${text} is not ${name}. It is between ${least} and ${most}.`)
  return value
}

function rangeOf(text: string, field: Field, hasStep: boolean): readonly [number, number] {
  if (text === '*') return [field.least, field.most]
  const [first = '', last, ...more] = text.split('-')
  if (more.length > 0) throw new CronProblem(`${text} is not a range. Write 1-5.`)
  const from = numberIn(first, field)
  // With a step alone, as in 5/15, to the end.
  const to = last === undefined ? (hasStep ? field.most : from) : numberIn(last, field)
  if (to < from) throw new CronProblem(`${text} ends before it begins.`)
  return [from, to]
}

function* valuesOf(text: string, field: Field): Generator<number> {
  for (const part of text.split(',')) {
    const [range = '', step, ...more] = part.split('/')
    if (more.length > 0 || (step !== undefined && !/^[1-9]\d?$/.test(step)))
      throw new CronProblem(`${part} is not a step. Write */15.`)
    const [from, to] = rangeOf(range, field, step !== undefined)
    for (let value = from; value <= to; value += Number(step ?? 1)) yield value
  }
}

const sorted = (values: Iterable<number>): number[] => [...new Set(values)].toSorted((a, b) => a - b)

/** Throws a `CronProblem` that says which field is wrong. */
export function parseCron(text: string): Cron {
  const fields = text.trim().split(/\s+/)
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields
  if (fields.length !== 5)
    throw new CronProblem(
      'Write five fields: minute, hour, day of the month, month and day of the week, for example 0 9 * * 1-5.',
    )
  const cron: Cron = {
    minutes: sorted(valuesOf(minute, MINUTE)),
    hours: sorted(valuesOf(hour, HOUR)),
    days: new Set(valuesOf(day, DAY)),
    months: new Set(valuesOf(month, MONTH)),
    weekdays: new Set([...valuesOf(weekday, WEEKDAY)].map((one) => one % 7)),
    eitherDay: !day.startsWith('*') && !weekday.startsWith('*'),
    everyHour: hour === '*',
  }
  if (daysFrom(0, cron).next().done) throw new CronProblem('There is no such day in any year.')
  return cron
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** From one 29 February to the next, at most. */
const LONGEST_DAYS = 8 * 366 + 1

function isDay({ days, months, weekdays, eitherDay }: Cron, at: Date): boolean {
  if (!months.has(at.getUTCMonth() + 1)) return false
  const [isDate, isWeekday] = [days.has(at.getUTCDate()), weekdays.has(at.getUTCDay())]
  return eitherDay ? isDate || isWeekday : isDate && isWeekday
}

/** Days of the calendar, each as midnight in UTC. */
function* daysFrom(first: number, cron: Cron): Generator<number> {
  for (let count = 0; count <= LONGEST_DAYS; count++) {
    const day = first + count * DAY_MS
    if (isDay(cron, new Date(day))) yield day
  }
}

/**
 * The first time after this one, by the clocks of the zone. A time that the clock skips is when it skips it; one that it
 * has twice is the first of them, and both for what runs in every hour.
 */
export function nextCronTime(cron: Cron, timeZone: string, after: Date): Date {
  const zone = new TimeZoneDays(timeZone)
  const today = Math.floor(zone.wallOf(after.getTime()) / DAY_MS) * DAY_MS
  for (const day of daysFrom(today, cron)) {
    const offsets = zone.offsetsAround(day)
    let found = Number.POSITIVE_INFINITY
    for (const hour of cron.hours)
      for (const minute of cron.minutes) {
        const instants = offsets.instantsOf(day + (hour * 60 + minute) * MINUTE_MS)
        for (const at of cron.everyHour ? instants : instants.slice(0, 1))
          if (at > after.getTime()) found = Math.min(found, at)
        if (Number.isFinite(found) && offsets.isEven) return new Date(found)
      }
    if (Number.isFinite(found)) return new Date(found)
  }
  throw new CronProblem('There is no such day in any year.')
}

/** The next ones, in their order. */
export function nextCronTimes(
  cron: Cron,
  timeZone: string,
  { after, count }: { after: Date; count: number },
) {
  const times: Date[] = []
  for (let at = after; times.length < count;) times.push((at = nextCronTime(cron, timeZone, at)))
  return times
}
