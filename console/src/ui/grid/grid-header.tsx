import { useRef } from 'react'
import type { PointerEvent } from 'react'
import type { VirtualItem } from '@tanstack/react-virtual'
import type { GridColumn } from './grid-columns.ts'
import { cellId } from './grid-row.tsx'
import { HEADER_ROW } from './grid-selection.ts'
import styles from './grid.module.css'

interface Props {
  readonly gridId: string
  readonly width: number
  readonly columns: readonly GridColumn[]
  readonly items: readonly VirtualItem[]
  /** -1: the keyboard is not in the header. */
  readonly focusColumn: number
  readonly onResize: (column: number, width: number) => void
  readonly onFit: (column: number) => void
}

export function GridHeader({ gridId, width, columns, items, focusColumn, onResize, onFit }: Props) {
  return (
    <div role="row" aria-rowindex={1} className={styles['header']} style={{ width }}>
      <div role="columnheader" aria-colindex={1} className={styles['corner']} data-r={HEADER_ROW} data-c={-1}>
        #
      </div>
      {items.map(({ index, start, size }) => {
        const column = columns[index]
        if (!column) return null
        return (
          <div
            key={index}
            id={cellId(gridId, HEADER_ROW, index)}
            role="columnheader"
            aria-colindex={index + 2}
            className={styles['headerCell']}
            data-r={HEADER_ROW}
            data-c={index}
            data-focus={index === focusColumn || undefined}
            style={{ left: start, width: size }}
            title={`${column.name} ${column.type}`}
          >
            <span className={styles['name']}>{column.name}</span>
            <span className={styles['type']}>{column.type}</span>
            <ResizeHandle
              width={size}
              onResize={(next) => onResize(index, next)}
              onFit={() => onFit(index)}
            />
          </div>
        )
      })}
    </div>
  )
}

interface HandleProps {
  readonly width: number
  readonly onResize: (width: number) => void
  readonly onFit: () => void
}

/** For the pointer only; the keyboard resizes from the header cell itself. */
function ResizeHandle({ width, onResize, onFit }: HandleProps) {
  const grip = useRef<{ x: number; width: number } | null>(null)
  const down = (event: PointerEvent<HTMLSpanElement>) => {
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { x: event.clientX, width }
  }
  const move = (event: PointerEvent<HTMLSpanElement>) => {
    if (grip.current) onResize(grip.current.width + event.clientX - grip.current.x)
  }
  return (
    <span
      className={styles['handle']}
      aria-hidden
      onMouseDown={(event) => event.stopPropagation()}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={() => (grip.current = null)}
      onPointerCancel={() => (grip.current = null)}
      onDoubleClick={onFit}
    />
  )
}
