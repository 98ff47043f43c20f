import { useEffect } from 'react'
import { t } from '../i18n/texts.ts'
import { classNames } from './class-names.ts'
import styles from './floating/floating.module.css'
import { useFloating } from './floating/use-floating.ts'
import type { SelectOption } from './select.tsx'

interface Props {
  readonly id: string
  readonly label: string
  readonly anchor: HTMLElement
  readonly options: readonly SelectOption[]
  readonly value: string | null
  readonly active: number
  readonly isSearching: boolean
  readonly onChoose: (option: SelectOption) => void
}

const MOST_HEIGHT_PX = 320

export function SelectList({ id, label, anchor, options, value, active, isSearching, onChoose }: Props) {
  const list = useFloating<HTMLDivElement>(anchor, { side: 'bottom', align: 'start' })
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [list, active])
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      tabIndex={-1}
      aria-label={label}
      popover="manual"
      className={classNames(styles['floating'], styles['list'])}
      style={{
        minWidth: anchor.offsetWidth,
        maxWidth: Math.max(anchor.offsetWidth, 480),
        maxHeight: MOST_HEIGHT_PX,
      }}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
    >
      {options.map((option, index) => (
        <button
          key={option.value}
          type="button"
          id={`${id}-${index}`}
          role="option"
          aria-selected={option.value === value}
          aria-disabled={option.disabled || undefined}
          tabIndex={-1}
          data-active={index === active || undefined}
          className={classNames(styles['entry'], styles['choice'])}
          onClick={() => onChoose(option)}
        >
          <span className={styles['grow']}>{option.label}</span>
          {option.hint && <span className={styles['hint']}>{option.hint}</span>}
        </button>
      ))}
      {options.length === 0 && (
        <div role="option" aria-selected={false} aria-disabled className={styles['nothing']}>
          {isSearching ? t('ui.searching') : t('ui.nothingFound')}
        </div>
      )}
    </div>
  )
}
