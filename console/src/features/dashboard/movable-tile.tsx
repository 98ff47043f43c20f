import type { Tile } from '@boathouse/contract/dashboard'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { changed, stepped } from './layout.ts'
import { placeStyle } from './tile-grid.tsx'
import { titleOf } from './tile-view.tsx'
import styles from './dashboard.module.css'

interface Props {
  readonly tile: Tile
  readonly tiles: readonly Tile[]
  /** While it is dragged; null: it is not any more. */
  readonly onPreview: (tiles: readonly Tile[] | null) => void
  readonly onPlaced: (tiles: readonly Tile[]) => void
  readonly children: (handle: ReactNode) => ReactNode
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Of the grid, as it is drawn: a column and a row with the gap beside it. */
function cellSize(grid: HTMLElement): readonly [number, number] {
  const { columnGap, rowGap, gridAutoRows } = getComputedStyle(grid)
  const column = (grid.clientWidth + Number.parseFloat(columnGap)) / 12
  return [column, Number.parseFloat(gridAutoRows) + Number.parseFloat(rowGap)]
}

/** A tile that is moved by its title and resized by its corner, with the mouse or the arrow keys. */
export function MovableTile({ tile, tiles, onPreview, onPlaced, children }: Props) {
  const cell = useRef<HTMLDivElement>(null)
  const start = useRef<{ readonly x: number; readonly y: number; readonly tile: Tile } | null>(null)
  const last = useRef<readonly Tile[] | null>(null)
  const [isMoving, setMoving] = useState(false)
  const title = titleOf(tile)
  const { tileId } = tile

  const begin = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    start.current = { x: event.clientX, y: event.clientY, tile }
    last.current = null
    setMoving(true)
  }
  const drag = (event: PointerEvent<HTMLElement>, isResizing: boolean) => {
    const grid = cell.current?.parentElement
    if (!start.current || !grid) return
    const [column, row] = cellSize(grid)
    const dx = Math.round((event.clientX - start.current.x) / column)
    const dy = Math.round((event.clientY - start.current.y) / row)
    const { x, y, w, h } = start.current.tile
    const next = changed(tiles, tileId, isResizing ? { w: w + dx, h: h + dy } : { x: x + dx, y: y + dy })
    last.current = next
    onPreview(next)
  }
  const end = (isKept: boolean) => {
    if (start.current && isKept && last.current) onPlaced(last.current)
    start.current = null
    setMoving(false)
    onPreview(null)
  }
  const press = (event: KeyboardEvent, isResizing: boolean) => {
    if (event.key === 'Escape' && start.current) return end(false)
    const step = STEPS[event.key]
    if (!step) return
    event.preventDefault()
    const [dx, dy] = step
    onPlaced(
      isResizing ? changed(tiles, tileId, { w: tile.w + dx, h: tile.h + dy }) : stepped(tiles, tileId, step),
    )
  }
  const handling = (isResizing: boolean) => ({
    onPointerDown: begin,
    onPointerMove: (event: PointerEvent<HTMLElement>) => drag(event, isResizing),
    onPointerUp: () => end(true),
    onPointerCancel: () => end(false),
    onKeyDown: (event: KeyboardEvent) => press(event, isResizing),
  })
  return (
    <div ref={cell} className={styles['cell']} style={placeStyle(tile)} data-moving={isMoving || undefined}>
      {children(
        <button
          type="button"
          className={styles['handle']}
          aria-label={t('dashboards.tile.move', { title })}
          {...handling(false)}
        >
          {title}
        </button>,
      )}
      <button
        type="button"
        className={styles['corner']}
        aria-label={t('dashboards.tile.resize', { title })}
        {...handling(true)}
      />
    </div>
  )
}
