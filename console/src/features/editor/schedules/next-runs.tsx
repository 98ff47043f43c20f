import { nextCronTimes, parseCron } from '@boathouse/contract/cron'
import { cronProblem } from '@boathouse/contract/schedule'
import { isTimeZone } from '@boathouse/contract/time-zone'
import { t } from '../../../i18n/texts.ts'
import { useNow } from '../../../lib/use-now.ts'
import styles from './schedules.module.css'

const SHOWN = 3

const OF_TIME = {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const

/** By the clocks of the zone, which it names: Monday, 2 March 2026 at 09:00 CET. */
export function timeInZone(at: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { ...OF_TIME, timeZone }).formatToParts(at)
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? ''
  const day = `${of('weekday')}, ${of('day')} ${of('month')} ${of('year')}`
  return `${day} at ${of('hour')}:${of('minute')} ${of('timeZoneName')}`
}

/** When it would run, in words, so that nobody must read cron to know. */
export function NextRuns({ cron, timeZone }: { cron: string; timeZone: string }) {
  const now = useNow()
  const isKnown = cronProblem(cron) === null && isTimeZone(timeZone)
  const times = isKnown
    ? nextCronTimes(parseCron(cron), timeZone, { after: new Date(now), count: SHOWN })
    : []
  return (
    <section className={styles['next']} aria-label={t('schedules.form.next')} aria-live="polite">
      <h3 className={styles['heading']}>{t('schedules.form.next')}</h3>
      {times.length === 0 && <p>{t('schedules.form.noNext')}</p>}
      <ol className={styles['times']}>
        {times.map((at) => (
          <li key={at.toISOString()}>
            <time dateTime={at.toISOString()}>{timeInZone(at, timeZone)}</time>
          </li>
        ))}
      </ol>
    </section>
  )
}
