import { useRef } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import styles from './split-handle.module.css'

interface Props {
  readonly label: string
  /** Which way the handle moves. */
  readonly axis: 'x' | 'y'
  readonly value: number
  readonly min: number
  readonly max: number
  readonly onChange: (value: number) => void
}

const STEP_PX = 16

/** Between two parts of the page; drag it, or use the arrow keys, Home and End. */
export function SplitHandle({ label, axis, value, min, max, onChange }: Props) {
  const grip = useRef<{ at: number; value: number } | null>(null)
  const along = (event: PointerEvent) => (axis === 'x' ? event.clientX : event.clientY)
  const change = (next: number) => onChange(Math.round(Math.max(min, Math.min(max, next))))
  const down = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { at: along(event), value }
  }
  const move = (event: PointerEvent) => {
    if (grip.current) change(grip.current.value + along(event) - grip.current.at)
  }
  const release = () => {
    grip.current = null
  }
  const pressed = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      [axis === 'x' ? 'ArrowLeft' : 'ArrowUp']: value - STEP_PX,
      [axis === 'x' ? 'ArrowRight' : 'ArrowDown']: value + STEP_PX,
      Home: min,
      End: max,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    change(next)
  }
  return (
    <div
      role="separator"
      className={styles['split']}
      data-axis={axis}
      tabIndex={0}
      aria-label={label}
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={pressed}
    />
  )
}
