import { useRef, useState } from 'react'
import type { PointerEvent } from 'react'
import type { VirtualItem } from '@tanstack/react-virtual'
import { t } from '../../i18n/texts.ts'
import { IconChevronDown } from '../icons.ts'
import { shortType } from './grid-columns.ts'
import type { GridColumn } from './grid-columns.ts'
import { cellId } from './grid-row.tsx'
import { HEADER_ROW } from './grid-selection.ts'
import { cellUnder } from './use-grid-selection.ts'
import styles from './grid.module.css'

export interface GridSort {
  readonly column: number
  readonly descending: boolean
}

interface Props {
  readonly gridId: string
  readonly width: number
  readonly columns: readonly GridColumn[]
  readonly items: readonly VirtualItem[]
  readonly pinned: number
  readonly sort: GridSort | null
  /** -1: the keyboard is not in the header. */
  readonly focusColumn: number
  readonly onResize: (column: number, width: number) => void
  readonly onFit: (column: number) => void
  readonly onReorder: ((from: number, to: number) => void) | undefined
  /** Without it, columns have no menu. */
  readonly onMenu: ((column: number) => void) | undefined
}

const DIRECTIONS = { true: 'descending', false: 'ascending' } as const

export function GridHeader(props: Props) {
  const { gridId, width, columns, items, pinned, sort, focusColumn, onReorder, onMenu } = props
  const drag = useColumnDrag(onReorder)
  return (
    <div role="row" aria-rowindex={1} className={styles['header']} style={{ width }}>
      <div role="columnheader" aria-colindex={1} className={styles['corner']} data-r={HEADER_ROW} data-c={-1}>
        #
      </div>
      {items.map(({ index, start, size }) => {
        const column = columns[index]
        if (!column) return null
        const sorted = sort?.column === index ? DIRECTIONS[`${sort.descending}`] : undefined
        return (
          <div
            key={index}
            id={cellId(gridId, HEADER_ROW, index)}
            role="columnheader"
            aria-colindex={index + 2}
            aria-sort={sorted}
            className={styles['headerCell']}
            data-r={HEADER_ROW}
            data-c={index}
            data-family={column.family}
            data-pinned={index < pinned || undefined}
            data-drop={drag.target === index || undefined}
            data-focus={index === focusColumn || undefined}
            style={{ left: start, width: size }}
            title={`${column.name} ${column.type}`}
            {...drag.handlers(index)}
          >
            <span className={styles['name']}>{column.name}</span>
            {sorted && <span aria-hidden>{sorted === 'ascending' ? '↑' : '↓'}</span>}
            <span className={styles['type']}>{shortType(column.type)}</span>
            {onMenu && <MenuButton name={column.name} onOpen={() => onMenu(index)} />}
            <ResizeHandle
              width={size}
              onResize={(next) => props.onResize(index, next)}
              onFit={() => props.onFit(index)}
            />
          </div>
        )
      })}
    </div>
  )
}

/** For the pointer; the keyboard opens the menu from the cell. */
function MenuButton({ name, onOpen }: { name: string; onOpen: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      className={styles['menuButton']}
      aria-label={t('grid.columnMenu', { name })}
      onMouseDown={(event) => event.stopPropagation()}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={onOpen}
    >
      <IconChevronDown size={14} aria-hidden />
    </button>
  )
}

/** A press that stays where it is selects the column; one that moves takes it along. */
const DRAG_BEGINS_PX = 6

const over = ({ clientX, clientY }: PointerEvent): number | null => {
  const element = document.elementFromPoint(clientX, clientY)
  const cell = element && cellUnder(element)
  return cell && cell.column >= 0 ? cell.column : null
}

function useColumnDrag(onReorder: Props['onReorder']) {
  const [target, setTarget] = useState<number | null>(null)
  const held = useRef<{ x: number; from: number } | null>(null)
  const end = (event: PointerEvent, isDropped: boolean) => {
    const from = held.current?.from
    const to = target === null ? null : over(event)
    held.current = null
    setTarget(null)
    if (isDropped && from !== undefined && to !== null && to !== from) onReorder?.(from, to)
  }
  return {
    target,
    handlers: (from: number) =>
      onReorder
        ? {
            onPointerDown: (event: PointerEvent) => {
              if (event.button === 0) held.current = { x: event.clientX, from }
            },
            onPointerMove: (event: PointerEvent<HTMLElement>) => {
              if (!held.current || Math.abs(event.clientX - held.current.x) < DRAG_BEGINS_PX) return
              if (target === null) event.currentTarget.setPointerCapture(event.pointerId)
              setTarget(over(event))
            },
            onPointerUp: (event: PointerEvent) => end(event, true),
            onPointerCancel: (event: PointerEvent) => end(event, false),
          }
        : {},
  }
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
