import { useId, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { DragEvent, HTMLAttributes, KeyboardEvent, ReactNode, Ref } from 'react'
import { IconChevronDown, IconChevronRight, IconDots } from '../icons.ts'
import { MenuList } from '../menu-list.tsx'
import type { MenuEntry } from '../menu.tsx'
import { placeOf, type TreeRows } from './row-list.ts'
import { treeKey, typeAhead } from './tree-rows.ts'
import type { TreeRow } from './tree-rows.ts'
import { useFixedRows } from '../rows/use-fixed-rows.ts'
import styles from './tree.module.css'

export interface TreeHandle {
  /** The keyboard goes to the active row, else to where it was last. */
  focus(): void
}

/** Rows that are moved by dragging; the keyboard needs another way, which the tree does not know. */
export interface TreeDrag<R extends TreeRow> {
  readonly canMove: (row: R) => boolean
  /** Null: beside all rows. */
  readonly canDrop: (id: string, on: R | null) => boolean
  readonly onDrop: (id: string, on: R | null) => void
}

/** What can be done with a row: behind its dots, the other mouse button, Shift+F10 and the menu key. */
export interface TreeMenu<R extends TreeRow> {
  readonly label: (row: R) => string
  /** Asked for when it is opened; without any there is no menu. */
  readonly entries: (row: R) => readonly MenuEntry[]
}

/** With the pointer, once or twice, or with Enter or the space bar. */
export type ActedBy = 'click' | 'double' | 'key'

export interface TreeProps<R extends TreeRow> {
  readonly label: string
  readonly rows: TreeRows<R>
  readonly activeId: string | null
  /** Several at once, where they are chosen and not gone to. */
  readonly selected?: ReadonlySet<string>
  readonly onAct: (row: R, by: ActedBy) => void
  readonly onToggle: (id: string) => void
  readonly icon: (row: R) => ReactNode
  /** At the right edge. */
  readonly end?: (row: R) => ReactNode
  /** Nothing is in it, but something is said. */
  readonly isNote?: (row: R) => boolean
  /** A key that the tree itself has no use for; true when it was taken. */
  readonly onKey?: (row: R, key: string) => boolean
  readonly drag?: TreeDrag<R>
  readonly menu?: TreeMenu<R>
  readonly ref?: Ref<TreeHandle>
}

export const TREE_ROW_PX = 24
const INDENT_PX = 14
const MENU_PX = 220
const BELOW = { side: 'bottom', align: 'start' } as const
/** Letters typed with less between them belong together. */
const TYPING_MS = 700

/**
 * One stop for the Tab key; arrows, Home, End, Enter and letters move within. Only rows that can be seen are drawn, and
 * the one that has the keyboard.
 */
export function Tree<R extends TreeRow>(props: TreeProps<R>) {
  const { label, rows, activeId, selected, onAct, onToggle, onKey, icon, end, isNote, drag, menu, ref } =
    props
  const { scroller, layout, scrollTo } = useFixedRows(rows.length, { headerPx: 0, rowPx: TREE_ROW_PX })
  const { stop, elementId, focusRow, focused, left } = useRovingFocus(rows, activeId, scrollTo)
  const typed = useTyping()
  const dragging = useDragging(drag)
  const [opened, setOpened] = useState<OpenedMenu<R> | null>(null)
  const menuId = useId()
  useReveal(rows, activeId, scrollTo)
  useImperativeHandle(ref, () => ({
    focus: () => {
      const active = placeOf(rows, activeId)
      focusRow(active === -1 ? stop : active)
    },
  }))

  const hasMenu = (row: R): boolean => menu !== undefined && !isNote?.(row)
  const openMenu = (row: R, anchor: HTMLElement) => {
    const entries = menu?.entries(row) ?? []
    if (entries.length > 0) setOpened({ row, anchor, entries })
  }
  const closeMenu = (returns: boolean) => {
    if (returns) opened?.anchor.focus({ preventScroll: true })
    setOpened(null)
  }

  const pressed = (event: KeyboardEvent<HTMLElement>, row: R, index: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.shiftKey ? `Shift+${event.key}` : event.key
    if (hasMenu(row) && (key === 'ContextMenu' || key === 'Shift+F10')) {
      event.preventDefault()
      return openMenu(row, event.currentTarget)
    }
    if (onKey?.(row, key)) return event.preventDefault()
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return onAct(row, 'key')
    }
    const move = treeKey(rows, index, event.key)
    const found = move === null && event.key.length === 1 ? typeAhead(rows, index, typed(event.key)) : null
    if (!move && found === null) return
    event.preventDefault()
    if (move?.kind === 'toggle') return onToggle(move.id)
    focusRow(move?.index ?? found ?? index)
  }

  const drawn = indices(layout.first, layout.last)
  if (stop < rows.length && !drawn.includes(stop)) drawn.push(stop)
  return (
    <>
      <div
        ref={scroller}
        role="tree"
        aria-label={label}
        aria-multiselectable={selected ? true : undefined}
        className={styles['tree']}
        {...dragging.beside()}
      >
        <div role="none" className={styles['rows']} style={{ height: layout.height }}>
          {drawn.map((index) => {
            const row = rows.at(index)
            return (
              row && (
                <Item
                  key={row.id}
                  elementId={elementId(index)}
                  row={row}
                  top={index * TREE_ROW_PX + layout.shift}
                  isStop={index === stop}
                  isActive={row.id === activeId || (selected?.has(row.id) ?? false)}
                  isNote={isNote?.(row) ?? false}
                  drag={dragging.on(row)}
                  onFocus={(element) => focused(index, element)}
                  onBlur={left}
                  onAct={(by) => onAct(row, by)}
                  onToggle={() => onToggle(row.id)}
                  onKey={(event) => pressed(event, row, index)}
                  onMenu={hasMenu(row) ? (anchor) => openMenu(row, anchor) : undefined}
                >
                  {icon(row)}
                  <span className={styles['name']}>{row.name}</span> {end?.(row)}
                  {menu && hasMenu(row) && (
                    <Dots label={menu.label(row)} onOpen={(anchor) => openMenu(row, anchor)} />
                  )}
                </Item>
              )
            )
          })}
        </div>
      </div>
      {menu && opened && (
        <MenuList
          id={menuId}
          label={menu.label(opened.row)}
          anchor={opened.anchor}
          beside={BELOW}
          width={MENU_PX}
          entries={opened.entries}
          onClose={closeMenu}
        />
      )}
    </>
  )
}

interface OpenedMenu<R> {
  readonly row: R
  /** The row on the screen. */
  readonly anchor: HTMLElement
  readonly entries: readonly MenuEntry[]
}

/** For the pointer; the keyboard stays with the row, whose keys do the same. */
function Dots({ label, onOpen }: { label: string; onOpen: (row: HTMLElement) => void }) {
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

function Item({ row, top, onAct, onToggle, onMenu, ...props }: ItemProps) {
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
      // The second click of two is told as both.
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

const indices = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)

const NO_DRAG: HTMLAttributes<HTMLElement> = {}

/** What is dragged, and what it is above of: there it can be dropped. */
function useDragging<R extends TreeRow>(drag: TreeDrag<R> | undefined) {
  const [dragged, setDragged] = useState<string | null>(null)
  const [above, setAbove] = useState<string | null>(null)
  if (!drag) return { on: () => NO_DRAG, beside: () => NO_DRAG }
  const end = () => {
    setDragged(null)
    setAbove(null)
  }
  const target = (row: R | null): HTMLAttributes<HTMLElement> => ({
    onDragOver: (event: DragEvent) => {
      event.stopPropagation()
      if (dragged === null || !drag.canDrop(dragged, row)) return setAbove(null)
      event.preventDefault()
      setAbove(row?.id ?? '')
    },
    onDrop: (event: DragEvent) => {
      event.stopPropagation()
      event.preventDefault()
      if (dragged !== null && drag.canDrop(dragged, row)) drag.onDrop(dragged, row)
      end()
    },
  })
  const dropMark = (id: string) => (above === id ? { 'data-drop': true } : {})
  return {
    beside: () => ({ ...target(null), ...dropMark('') }),
    on: (row: R): HTMLAttributes<HTMLElement> => ({
      draggable: drag.canMove(row),
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', row.name)
        setDragged(row.id)
      },
      onDragEnd: end,
      ...target(row),
      ...dropMark(row.id),
    }),
  }
}

/** Letters typed shortly after one another, put together. */
function useTyping() {
  const typing = useRef({ text: '', at: 0 })
  return (letter: string): string => {
    const now = performance.now()
    const { text, at } = typing.current
    typing.current = { text: now - at < TYPING_MS ? text + letter : letter, at: now }
    return typing.current.text
  }
}

/** Which row the Tab key stops at, and how another one gets the keyboard, also one that is not drawn yet. */
function useRovingFocus(rows: TreeRows<TreeRow>, activeId: string | null, scrollTo: (index: number) => void) {
  const treeId = useId()
  const elementId = (index: number) => `${treeId}-${index}`
  /** What has the keyboard now; a row that has it may go. */
  const holder = useRef<HTMLElement | null>(null)
  const [last, setLast] = useState<{ id: string; index: number } | null>(null)
  const wanted = useRef(false)
  const stop = useMemo(() => {
    const known = placeOf(rows, last?.id)
    if (known !== -1) return known
    // The row is gone: the one that took its place.
    if (last) return Math.max(0, Math.min(last.index, rows.length - 1))
    return Math.max(0, placeOf(rows, activeId))
  }, [rows, last, activeId])

  useLayoutEffect(() => {
    const row = rows.at(stop)
    const isLost = holder.current?.isConnected === false && document.activeElement === document.body
    if (!row || (!wanted.current && !isLost)) return
    wanted.current = false
    document.getElementById(elementId(stop))?.focus({ preventScroll: true })
  })

  const focused = (index: number, element: HTMLElement) => {
    const row = rows.at(index)
    holder.current = element
    if (row && row.id !== last?.id) setLast({ id: row.id, index })
  }
  const left = () => {
    if (holder.current?.isConnected) holder.current = null
  }
  const focusRow = (index: number) => {
    const row = rows.at(index)
    if (!row) return
    scrollTo(index)
    const element = document.getElementById(elementId(index))
    if (element) return element.focus({ preventScroll: true })
    wanted.current = true
    setLast({ id: row.id, index })
  }
  return { stop, elementId, focusRow, focused, left }
}

/** What becomes active is brought into sight, as soon as it is there; the keyboard stays where it is. */
function useReveal(rows: TreeRows<TreeRow>, activeId: string | null, scrollTo: (index: number) => void) {
  const shown = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (shown.current === activeId) return
    const index = placeOf(rows, activeId)
    if (index === -1) return
    shown.current = activeId
    scrollTo(index)
  })
}
