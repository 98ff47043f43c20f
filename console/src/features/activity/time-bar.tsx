import type { HistoryEntry } from '@boathouse/contract/query'
import { t } from '../../i18n/texts.ts'
import { formatDuration } from '../../lib/format.ts'
import styles from './activity.module.css'

interface Phase {
  readonly name: 'queued' | 'compiled' | 'run' | 'fetched'
  readonly ms: number
}

/** What is known of where the time went; the run is what is left. */
export function phasesOf(entry: HistoryEntry, now: number): readonly Phase[] {
  const accepted = Date.parse(entry.acceptedAt)
  const ended = entry.endedAt === null ? now : Date.parse(entry.endedAt)
  const started = entry.startedAt === null ? ended : Date.parse(entry.startedAt)
  const compiled = entry.compileMs ?? 0
  const fetched = entry.fetchMs ?? 0
  const phases: readonly Phase[] = [
    { name: 'queued', ms: Math.max(0, started - accepted) },
    { name: 'compiled', ms: compiled },
    { name: 'run', ms: Math.max(0, ended - started - compiled - fetched) },
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
