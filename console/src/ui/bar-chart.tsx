import { type KeyboardEvent, useState } from 'react'
import styles from './bar-chart.module.css'

export interface Bar {
  readonly key: string
  /** Below the bar. */
  readonly label: string
  readonly value: number
  /** All that is known of it, shown when it is pointed at or has the focus, and read out. */
  readonly detail: string
  /** It is not complete yet. */
  readonly isOpen?: boolean
}

const LINES = 3

/** 1, 2, 2.5 or 5 times a power of ten: what people read easily. */
function niceStep(highest: number): number {
  const rough = highest / LINES
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10)
}

/** Where a key leads from a bar. */
function nextOf(key: string, at: number, count: number): number | null {
  if (key === 'ArrowLeft') return Math.max(0, at - 1)
  if (key === 'ArrowRight') return Math.min(count - 1, at + 1)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : null
}

/**
 * Bars of one series over days or hours; the same figures belong into a table beside it. The tab key leads to one of
 * them, arrow keys to the others.
 */
export function BarChart({ label, bars }: { label: string; bars: readonly Bar[] }) {
  const [chosen, setChosen] = useState(0)
  const move = (event: KeyboardEvent<HTMLButtonElement>, at: number) => {
    const next = nextOf(event.key, at, bars.length)
    if (next === null) return
    event.preventDefault()
    event.currentTarget.closest('ul')?.querySelectorAll('button')[next]?.focus()
  }
  const highest = Math.max(...bars.map(({ value }) => value), 0)
  const step = highest > 0 ? niceStep(highest) : 1
  const top = step * LINES
  const lines = Array.from({ length: LINES + 1 }, (_, index) => step * (LINES - index))
  return (
    <div className={styles['chart']}>
      <div className={styles['axis']} aria-hidden>
        {lines.map((line) => (
          <span key={line}>{Number(line.toPrecision(3))}</span>
        ))}
      </div>
      <ul className={styles['bars']} aria-label={label}>
        {bars.map((bar, index) => (
          <li key={bar.key} className={styles['column']}>
            <button
              type="button"
              className={styles['target']}
              aria-label={bar.detail}
              tabIndex={index === Math.min(chosen, bars.length - 1) ? 0 : -1}
              onFocus={() => setChosen(index)}
              onKeyDown={(event) => move(event, index)}
            >
              <span
                className={styles['bar']}
                data-open={bar.isOpen || undefined}
                style={{ height: `${(100 * bar.value) / top}%` }}
              />
              <span className={styles['detail']} aria-hidden>
                {bar.detail}
              </span>
            </button>
            <span className={styles['name']} aria-hidden>
              {bar.label}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
