import '../../i18n/statistics.ts'
import { t } from '../../i18n/texts.ts'
import { Properties } from '../../ui/index.ts'
import { grouped } from '../chart/grouped.ts'
import { type Bin, figureText, shareText, type Statistics } from './statistics.ts'
import styles from './statistics.module.css'

/** What a click on a value does; null for a value: NULL. */
export interface ValueChoice {
  readonly isPossible: (value: string | null, isCut: boolean) => boolean
  readonly isChosen: (value: string | null) => boolean
  readonly choose: (value: string | null) => void
}

interface Props {
  readonly of: Statistics
  readonly choice?: ValueChoice | undefined
}

const exact = (count: number): string => count.toLocaleString('en-US')
const LONGEST_SHOWN = 60

/** Figures, distribution and most frequent values of one column. */
export function StatisticsView({ of, choice }: Props) {
  const { rows, nulls, distinct, min, max, sum, average, median, frequent, bins } = of
  const facts: [string, string | null][] = [
    [t('statistics.rows'), exact(rows)],
    [t('statistics.nulls'), `${exact(nulls)} (${shareText(nulls, rows)})`],
    [t('statistics.distinct'), exact(distinct)],
    [t('statistics.min'), min],
    [t('statistics.max'), max],
    [t('statistics.sum'), sum && grouped(sum)],
    [t('statistics.average'), average && grouped(figureText(average))],
    [t('statistics.median'), median && grouped(figureText(median))],
  ]
  return (
    <>
      {bins.length > 0 && <Distribution bins={bins} />}
      <Properties
        items={facts.flatMap(([name, value]) =>
          value === null ? [] : [[name, value.slice(0, LONGEST_SHOWN)] as const],
        )}
      />
      {frequent.length > 0 && <Frequent of={of} choice={choice} />}
    </>
  )
}

function binText({ count, from, to }: Bin): string {
  if (from === null || to === null) return t('statistics.emptyPart')
  const rows = t('statistics.rowsOf', { count, shown: exact(count) })
  return from === to ? `${from}: ${rows}` : t('statistics.part', { from, to, rows })
}

function Distribution({ bins }: { bins: readonly Bin[] }) {
  const most = bins.reduce((all, { count }) => Math.max(all, count), 1)
  const filled = bins.filter(({ count }) => count > 0)
  return (
    <section aria-label={t('statistics.distribution')}>
      <ol className={styles['bins']}>
        {bins.map((bin, at) => (
          <li key={at} title={binText(bin)}>
            <span
              style={{ height: `${(100 * bin.count) / most}%` }}
              data-empty={bin.count === 0 || undefined}
            />
            <span className="visually-hidden">{binText(bin)}</span>
          </li>
        ))}
      </ol>
      <p className={styles['ends']} aria-hidden>
        <span>{filled[0]?.from}</span>
        <span>{filled.at(-1)?.to}</span>
      </p>
    </section>
  )
}

function Frequent({ of: { frequent, nulls, rows }, choice }: Props) {
  const most = Math.max(nulls, frequent[0]?.count ?? 1)
  const entries = [...frequent, ...(nulls > 0 ? [{ value: null, isCut: false, count: nulls }] : [])].toSorted(
    (one, other) => other.count - one.count,
  )
  return (
    <section className={styles['frequent']} aria-label={t('statistics.frequent')}>
      <h3>{t('statistics.frequent')}</h3>
      {entries.map(({ value, isCut, count }, at) => {
        const shown = value === null ? 'NULL' : value === '' ? '""' : value.slice(0, LONGEST_SHOWN)
        const isButton = choice?.isPossible(value, isCut) ?? false
        const parts = (
          <>
            <span style={{ width: `${(100 * count) / most}%` }} />
            <span data-null={value === null || undefined}>
              {isButton && <span className="visually-hidden">{t('statistics.filterBy')}</span>}
              {isButton && ' '}
              {isCut ? `${shown}…` : shown}
            </span>{' '}
            <span title={shareText(count, rows)}>
              {exact(count)} <span className="visually-hidden">{t('statistics.unit', { count })}</span>
            </span>
          </>
        )
        const title = value?.slice(0, 300) ?? 'NULL'
        if (!choice || !isButton)
          return (
            <div key={at} className={styles['value']} title={title}>
              {parts}
            </div>
          )
        return (
          <button
            key={at}
            type="button"
            className={styles['value']}
            title={title}
            aria-pressed={choice.isChosen(value)}
            onClick={() => choice.choose(value)}
          >
            {parts}
          </button>
        )
      })}
    </section>
  )
}
