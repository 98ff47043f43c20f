import { useImperativeHandle, useLayoutEffect, useRef } from 'react'
import type { KeyboardEvent, ReactNode, Ref } from 'react'
import { placeOf, type TreeRows } from './row-list.ts'
import { type ActedBy, Dots, Item } from './tree-item.tsx'
import { treeKey, typeAhead } from './tree-rows.ts'
import type { TreeRow } from './tree-rows.ts'
import { type TreeDrag, useDragging } from './use-dragging.ts'
import { useRovingFocus } from './use-roving-focus.ts'
import { type TreeMenu, useTreeMenu } from './use-tree-menu.tsx'
import { useFixedRows } from '../rows/use-fixed-rows.ts'
import styles from './tree.module.css'

export interface TreeHandle {
  /** The focus goes to the active row, else to the last one that had it. */
  focus(): void
}

export interface TreeProps<R extends TreeRow> {
  readonly label: string
  readonly rows: TreeRows<R>
  readonly activeId: string | null
  /** Several at once, where rows are chosen and not opened. */
  readonly selected?: ReadonlySet<string>
  readonly onAct: (row: R, by: ActedBy) => void
  readonly onToggle: (id: string) => void
  readonly icon: (row: R) => ReactNode
  /** At the right edge. */
  readonly end?: (row: R) => ReactNode
  /** It is a note, not an object. */
  readonly isNote?: (row: R) => boolean
  /** A key that the tree itself does not use; true when it was used. */
  readonly onKey?: (row: R, key: string) => boolean
  readonly drag?: TreeDrag<R>
  readonly menu?: TreeMenu<R>
  readonly ref?: Ref<TreeHandle>
}

export const TREE_ROW_PX = 24
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
  const { hasMenu, openMenu, openedMenu } = useTreeMenu(menu, isNote)
  useReveal(rows, activeId, scrollTo)
  useImperativeHandle(ref, () => ({
    focus: () => {
      const active = placeOf(rows, activeId)
      focusRow(active === -1 ? stop : active)
    },
  }))

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
      {openedMenu}
    </>
  )
}

const indices = (first: number, last: number): number[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)

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

/** Scrolls to the active row as soon as it exists; the focus stays where it is. */
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
