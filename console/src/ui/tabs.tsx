import { useEffect, useId } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import styles from './tabs.module.css'

interface TabItem {
  readonly value: string
  readonly label: ReactNode
  readonly content: ReactNode
}

interface Props {
  /** What the tabs choose between, for those who cannot see them side by side. */
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly items: readonly TabItem[]
}

const STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

export function Tabs({ label, value, onChange, items }: Props) {
  const id = useId()
  // Where they do not all fit, the chosen one is scrolled to.
  useEffect(() => {
    document.getElementById(`${id}-${value}`)?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [id, value])
  const at = items.findIndex((item) => item.value === value)
  const chosen = items[at]
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const step = STEPS[event.key]
    const next = step && items.at((at + step) % items.length)
    if (!next) return
    event.preventDefault()
    onChange(next.value)
    document.getElementById(`${id}-${next.value}`)?.focus()
  }
  return (
    <div>
      <div role="tablist" aria-label={label} className={styles['tabs']}>
        {items.map((item) => (
          <button
            key={item.value}
            type="button"
            role="tab"
            id={`${id}-${item.value}`}
            aria-selected={item.value === value}
            aria-controls={item.value === value ? `${id}-panel` : undefined}
            tabIndex={item.value === value ? 0 : -1}
            className={styles['tab']}
            onClick={() => onChange(item.value)}
            onKeyDown={press}
          >
            {item.label}
          </button>
        ))}
      </div>
      {chosen && (
        <div
          key={value}
          id={`${id}-panel`}
          role="tabpanel"
          aria-labelledby={`${id}-${value}`}
          className={styles['panel']}
        >
          {chosen.content}
        </div>
      )}
    </div>
  )
}
