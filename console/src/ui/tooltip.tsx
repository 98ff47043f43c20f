import { cloneElement, useEffect, useId, useState } from 'react'
import type { FocusEvent, HTMLAttributes, KeyboardEvent, PointerEvent, ReactElement, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './floating/floating.module.css'
import type { Side } from './floating/place-beside.ts'
import { useFloating } from './floating/use-floating.ts'

interface Props {
  readonly label: ReactNode
  readonly position?: Side
  readonly disabled?: boolean
  /** One element that takes pointer and focus events. */
  readonly children: ReactElement<HTMLAttributes<Element>>
}

const OPEN_DELAY_MS = 300

export function Tooltip({ label, position = 'bottom', disabled = false, children }: Props) {
  const [anchor, setAnchor] = useState<Element | null>(null)
  const [over, setOver] = useState<Element | null>(null)
  const id = useId()
  useEffect(() => {
    if (!over) return undefined
    const timer = setTimeout(() => setAnchor(over), OPEN_DELAY_MS)
    return () => clearTimeout(timer)
  }, [over])
  const own = children.props
  const hide = () => {
    setOver(null)
    setAnchor(null)
  }
  const isShown = anchor !== null && !disabled
  // What names the element already is not read out twice.
  const describes = isShown && label !== own['aria-label']
  const target = cloneElement(children, {
    ...(describes ? { 'aria-describedby': id } : {}),
    onPointerEnter: (event: PointerEvent) => {
      own.onPointerEnter?.(event)
      if (event.pointerType !== 'touch') setOver(event.currentTarget)
    },
    onPointerLeave: (event: PointerEvent) => {
      own.onPointerLeave?.(event)
      hide()
    },
    onPointerDown: (event: PointerEvent) => {
      own.onPointerDown?.(event)
      hide()
    },
    onFocus: (event: FocusEvent) => {
      own.onFocus?.(event)
      if (event.currentTarget.matches(':focus-visible')) setAnchor(event.currentTarget)
    },
    onBlur: (event: FocusEvent) => {
      own.onBlur?.(event)
      hide()
    },
    onKeyDown: (event: KeyboardEvent) => {
      own.onKeyDown?.(event)
      hide()
    },
  })
  return (
    <>
      {target}
      {isShown && (
        <Tip id={id} anchor={anchor} side={position}>
          {label}
        </Tip>
      )}
    </>
  )
}

interface TipProps {
  readonly id: string
  readonly anchor: Element
  readonly side: Side
  readonly children: ReactNode
}

function Tip({ id, anchor, side, children }: TipProps) {
  const tip = useFloating<HTMLSpanElement>(anchor, { side, align: 'center' })
  return (
    <span
      ref={tip}
      id={id}
      role="tooltip"
      popover="manual"
      className={classNames(styles['floating'], styles['tooltip'])}
    >
      {children}
    </span>
  )
}
