import { useState } from 'react'
import type { DragEvent, HTMLAttributes } from 'react'
import type { TreeRow } from './tree-rows.ts'

/** Rows that can be moved by dragging. The page offers another way for the keyboard. */
export interface TreeDrag<R extends TreeRow> {
  readonly canMove: (row: R) => boolean
  /** Null: beside all rows. */
  readonly canDrop: (id: string, on: R | null) => boolean
  readonly onDrop: (id: string, on: R | null) => void
}

const NO_DRAG: HTMLAttributes<HTMLElement> = {}

/** The row that is dragged, and the row below the pointer if it can be dropped there. */
export function useDragging<R extends TreeRow>(drag: TreeDrag<R> | undefined) {
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
