import { useId } from 'react'
import styles from './segmented.module.css'

interface Segment<V extends string> {
  readonly value: V
  readonly label: string
  readonly count?: number
}

interface Props<V extends string> {
  /** What is chosen here, for those who cannot see the segments side by side. */
  readonly label: string
  readonly value: V
  readonly segments: readonly Segment<V>[]
  readonly onChange: (value: V) => void
}

/** One of a few, as radio buttons that look like one control: arrow keys choose. */
export function Segmented<V extends string>({ label, value, segments, onChange }: Props<V>) {
  const name = useId()
  return (
    <div className={styles['segments']} role="radiogroup" aria-label={label}>
      {segments.map((segment) => (
        <label key={segment.value} className={styles['segment']}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            checked={segment.value === value}
            onChange={() => onChange(segment.value)}
          />
          {segment.label}
          {segment.count !== undefined && <span className={styles['count']}>{segment.count}</span>}
        </label>
      ))}
    </div>
  )
}
