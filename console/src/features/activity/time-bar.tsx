import type { HistoryEntry } from '@boathouse/contract/query'
import { t } from '../../i18n/texts.ts'
import { formatDuration } from '../../lib/format.ts'
import styles from './activity.module.css'

interface Phase {
  readonly name: 'queued' | 'compiled' | 'run' | 'fetched'
  readonly ms: number
}

/** From when its turn came; of one that still runs, since it began, as far as the history knows. */
function tookMs({ durationMs, startedAt, endedAt }: HistoryEntry, now: number): number {
  if (endedAt !== null) return durationMs ?? 0
  return startedAt === null ? 0 : now - Date.parse(startedAt)
}

/** What is known of where the time went: together it is what the statement took. The run is what is left. */
export function phasesOf(entry: HistoryEntry, now: number): readonly Phase[] {
  const { startedAt, endedAt } = entry
  const took = tookMs(entry, now)
  const ran = startedAt === null ? 0 : (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt)
  const queued = Math.max(0, took - ran)
  const compiled = Math.min(entry.compileMs ?? 0, took - queued)
  const fetched = Math.min(entry.fetchMs ?? 0, took - queued - compiled)
  const phases: readonly Phase[] = [
    { name: 'queued', ms: queued },
    { name: 'compiled', ms: compiled },
    { name: 'run', ms: took - queued - compiled - fetched },
    { name: 'fetched', ms: fetched },
  ]
  return phases.filter(({ name, ms }) => name === 'run' || ms > 0)
}

/** The times as a bar, and the same in words below it. */
export function TimeBar({ of, now }: { of: HistoryEntry; now: number }) {
  const phases = phasesOf(of, now)
  const total = phases.reduce((sum, { ms }) => sum + ms, 0)
  return (
    <section aria-label={t('activity.detail.times')}>
      <div className={styles['timeBar']} aria-hidden>
        {phases.map(({ name, ms }) => (
          <span key={name} data-phase={name} style={{ flexGrow: Math.max(ms, total / 100, 1) }} />
        ))}
      </div>
      <ul className={styles['legend']}>
        {phases.map(({ name, ms }) => (
          <li key={name}>
            <span className={styles['swatch']} data-phase={name} aria-hidden />
            {t(`activity.detail.${name}`)} <strong>{formatDuration(ms)}</strong>
          </li>
        ))}
        <li>{t('activity.detail.total', { duration: formatDuration(total) })}</li>
      </ul>
    </section>
  )
}
