import type { HTMLAttributes, KeyboardEvent, ReactNode } from 'react'
import { IconChevronDown, IconChevronRight, IconDots } from '../icons.ts'
import type { TreeRow } from './tree-rows.ts'
import styles from './tree.module.css'

/** With the pointer, once or twice, or with Enter or the space bar. */
export type ActedBy = 'click' | 'double' | 'key'

const INDENT_PX = 14

/** For the pointer; the keyboard stays with the row, whose keys do the same. */
export function Dots({ label, onOpen }: { label: string; onOpen: (row: HTMLElement) => void }) {
  return (
    <button
      type="button"
      className={styles['dots']}
      tabIndex={-1}
      aria-hidden
      title={label}
      onClick={(event) => {
        event.stopPropagation()
        const row = event.currentTarget.closest<HTMLElement>('[role=treeitem]')
        if (row) onOpen(row)
      }}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <IconDots size={15} aria-hidden />
    </button>
  )
}

interface ItemProps {
  readonly elementId: string
  readonly row: TreeRow
  /** Pixels. */
  readonly top: number
  readonly isStop: boolean
  readonly isActive: boolean
  readonly isNote: boolean
  readonly drag: HTMLAttributes<HTMLElement>
  readonly onFocus: (element: HTMLElement) => void
  readonly onBlur: () => void
  readonly onAct: (by: ActedBy) => void
  readonly onToggle: () => void
  readonly onKey: (event: KeyboardEvent<HTMLElement>) => void
  readonly onMenu: ((row: HTMLElement) => void) | undefined
  readonly children: ReactNode
}

export function Item({ row, top, onAct, onToggle, onMenu, ...props }: ItemProps) {
  return (
    <div
      role="treeitem"
      id={props.elementId}
      className={styles['row']}
      style={{ top, paddingLeft: 8 + (row.level - 1) * INDENT_PX }}
      data-note={props.isNote || undefined}
      {...props.drag}
      tabIndex={props.isStop ? 0 : -1}
      title={row.name}
      aria-level={row.level}
      aria-posinset={row.posInSet}
      aria-setsize={row.setSize}
      aria-expanded={row.expanded ?? undefined}
      aria-selected={props.isActive}
      onFocus={(event) => props.onFocus(event.currentTarget)}
      onBlur={props.onBlur}
      // The second click of a double click is reported as both.
      onClick={({ detail }) => detail < 2 && onAct('click')}
      onDoubleClick={() => onAct('double')}
      onKeyDown={props.onKey}
      onContextMenu={
        onMenu &&
        ((event) => {
          event.preventDefault()
          onMenu(event.currentTarget)
        })
      }
    >
      <Twist row={row} onToggle={onToggle} />
      {props.children}
    </div>
  )
}

/** For the pointer; the keyboard has its arrows. */
function Twist({ row, onToggle }: { row: TreeRow; onToggle: () => void }) {
  if (row.expanded === null) return row.level > 1 && <span className={styles['twist']} />
  const Chevron = row.expanded ? IconChevronDown : IconChevronRight
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span
      className={styles['twist']}
      onClick={(event) => {
        event.stopPropagation()
        onToggle()
      }}
    >
      <Chevron size={13} aria-hidden />
    </span>
  )
}
