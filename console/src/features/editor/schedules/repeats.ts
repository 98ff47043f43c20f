import { t } from '../../../i18n/texts.ts'

export const REPEATS = ['hourly', 'daily', 'weekly', 'cron'] as const
type Repeats = (typeof REPEATS)[number]

/** When something runs, as a form asks for it. What the kind does not need is kept for when it is chosen. */
export interface When {
  readonly kind: Repeats
  /** Of the hour. */
  readonly minute: string
  /** 09:00 */
  readonly time: string
  /** 0 is Sunday. */
  readonly weekday: string
  readonly cron: string
}

export const NEW_WHEN: When = { kind: 'daily', minute: '0', time: '09:00', weekday: '1', cron: '0 9 * * 1-5' }

const MINUTE = /^[0-5]?\d$/
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

const CLOCK = /^([0-5]?\d) (\d|1\d|2[0-3]) \* \* (?:\*|([0-6]))$/
const HOURLY = /^([0-5]?\d) \* \* \* \*$/

const twoDigits = (text = ''): string => text.padStart(2, '0')

/** What is wrong with a field, by its name. A cron expression is judged by the contract. */
export function whenProblems({ kind, minute, time }: When): Partial<Record<'minute' | 'time', string>> {
  if (kind === 'hourly' && !MINUTE.test(minute.trim())) return { minute: t('schedules.form.minuteProblem') }
  if ((kind === 'daily' || kind === 'weekly') && !TIME.test(time))
    return { time: t('schedules.form.timeProblem') }
  return {}
}

export function cronOf({ kind, minute, time, weekday, cron }: When): string {
  const [hours = '', minutes = ''] = time.split(':')
  const clock = `${Number(minutes)} ${Number(hours)}`
  if (kind === 'hourly') return `${Number(minute)} * * * *`
  if (kind === 'daily') return `${clock} * * *`
  return kind === 'weekly' ? `${clock} * * ${weekday}` : cron
}

/** The simplest kind that says the same. */
export function whenOf(cron: string): When {
  const [, minute] = HOURLY.exec(cron) ?? []
  if (minute !== undefined) return { ...NEW_WHEN, kind: 'hourly', minute, cron }
  const [, minutes, hours, weekday] = CLOCK.exec(cron) ?? []
  if (hours === undefined) return { ...NEW_WHEN, kind: 'cron', cron }
  const time = `${twoDigits(hours)}:${twoDigits(minutes)}`
  return weekday === undefined
    ? { ...NEW_WHEN, kind: 'daily', time, cron }
    : { ...NEW_WHEN, kind: 'weekly', time, weekday, cron }
}

const DAYS = ['d0', 'd1', 'd2', 'd3', 'd4', 'd5', 'd6'] as const

export const weekdayName = (weekday: string): string =>
  t(`schedules.weekdays.${DAYS[Number(weekday)] ?? 'd0'}`)

/** As people say it; any other cron expression is shown as it is. */
export function cronWords(cron: string): string {
  const { kind, minute, time, weekday } = whenOf(cron)
  if (kind === 'hourly') return t('schedules.words.hourly', { minute })
  if (kind === 'daily') return t('schedules.words.daily', { time })
  if (kind === 'weekly') return t('schedules.words.weekly', { weekday: weekdayName(weekday), time })
  return cron
}
