import { useEffect, useEffectEvent } from 'react'
import type { KeyboardEvent, ReactNode, RefObject } from 'react'
import { classNames } from './class-names.ts'
import styles from './floating/floating.module.css'
import type { Beside } from './floating/place-beside.ts'
import { useFloating } from './floating/use-floating.ts'
import type { MenuEntry } from './menu.tsx'

interface Props {
  readonly id: string
  readonly label: string
  readonly anchor: HTMLElement
  readonly beside: Beside
  readonly width: number
  readonly entries: readonly MenuEntry[]
  /** Whether the focus goes back to what opened it. */
  readonly onClose: (returns: boolean) => void
  readonly children?: ReactNode
}

const itemsIn = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? []),
]

/** An open menu: arrow keys and first letters move, Escape and Tab leave. */
export function MenuList({ id, label, anchor, beside, width, entries, onClose, children }: Props) {
  const list = useFloating<HTMLDivElement>(anchor, beside)
  useEffect(() => {
    itemsIn(list.current)[0]?.focus({ preventScroll: true })
  }, [list])
  useCloseOnPressElsewhere(list, anchor, () => onClose(false))
  const choose = (act: () => void) => {
    // First the focus: what is opened now gives it back to where it was.
    onClose(true)
    act()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation()
      event.preventDefault()
      return onClose(true)
    }
    if (event.key === 'Tab') return onClose(true)
    const items = itemsIn(list.current)
    const target = items[itemFor(event.key, items)]
    if (!target) return
    event.preventDefault()
    target.focus()
  }
  return (
    <div
      ref={list}
      id={id}
      role="menu"
      tabIndex={-1}
      popover="manual"
      aria-label={label}
      className={classNames(styles['floating'], styles['list'])}
      style={{ width }}
      onKeyDown={press}
      // What lies around the trigger is not what was clicked.
      onClick={(event) => event.stopPropagation()}
    >
      {children}
      {entries.map((entry, index) => (
        <Entry key={keyOf(entries, index)} entry={entry} onChoose={choose} />
      ))}
    </div>
  )
}

const labelOf = (entry: MenuEntry | undefined): string | null =>
  entry && 'label' in entry && typeof entry.label === 'string' ? entry.label : null

/** Two entries may have one label, under different headings. */
function keyOf(entries: readonly MenuEntry[], index: number): string | number {
  const label = labelOf(entries[index])
  if (label === null) return index
  const before = entries.slice(0, index).filter((entry) => labelOf(entry) === label).length
  return before === 0 ? label : `${label} ${before}`
}

/** Where a key leads from the item that has the focus; -1 when nowhere. */
function itemFor(key: string, items: readonly HTMLElement[]): number {
  const at = items.findIndex((item) => item === document.activeElement)
  if (key === 'ArrowDown') return (at + 1) % items.length
  if (key === 'ArrowUp') return (at <= 0 ? items.length : at) - 1
  if (key === 'Home') return 0
  if (key === 'End') return items.length - 1
  if (key.length !== 1 || key === ' ') return -1
  const begins = (item: HTMLElement) => item.textContent.toLowerCase().startsWith(key.toLowerCase())
  const after = items.findIndex((item, index) => index > at && begins(item))
  return after === -1 ? items.findIndex(begins) : after
}

function useCloseOnPressElsewhere(
  list: RefObject<HTMLElement | null>,
  anchor: HTMLElement,
  onClose: () => void,
): void {
  const close = useEffectEvent(onClose)
  useEffect(() => {
    const pressed = ({ target }: Event) => {
      if (target instanceof Node && !list.current?.contains(target) && !anchor.contains(target)) close()
    }
    document.addEventListener('pointerdown', pressed, true)
    return () => document.removeEventListener('pointerdown', pressed, true)
  }, [list, anchor])
}

interface EntryProps {
  readonly entry: MenuEntry
  readonly onChoose: (act: () => void) => void
}

function Entry({ entry, onChoose }: EntryProps) {
  if (entry.kind === 'divider') return <div className={styles['divider']} />
  if (entry.kind === 'heading') return <div className={styles['heading']}>{entry.label}</div>
  if (entry.kind === 'choice')
    return (
      <div role="group">
        {entry.options.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            role="menuitemradio"
            aria-checked={value === entry.value}
            tabIndex={-1}
            className={classNames(styles['entry'], styles['choice'])}
            onClick={() => onChoose(() => entry.onChange(value))}
          >
            {label}
          </button>
        ))}
      </div>
    )
  const disabled = entry.disabled === true || Boolean(entry.reason)
  return (
    <button
      type="button"
      role="menuitem"
      aria-disabled={disabled || undefined}
      title={entry.reason || undefined}
      tabIndex={-1}
      className={classNames(styles['entry'], entry.danger && styles['danger'])}
      onClick={() => !disabled && onChoose(entry.onSelect)}
    >
      {entry.icon}
      <span className={styles['grow']}>{entry.label}</span>
      {entry.hint && <span className={styles['hint']}>{entry.hint}</span>}
    </button>
  )
}
