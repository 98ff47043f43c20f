import { LAYOUT } from '@boathouse/contract/limits'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { FocusEvent, KeyboardEvent, MouseEvent } from 'react'
import type { MenuMode } from '../../lib/session.ts'

/**
 * When a narrow menu is open over the page. It is opened by a pointer that rests on it, by the keyboard and by a click
 * beside its links, and closed by whatever leaves it. What was chosen is below it: until it is come to again, it stays
 * closed.
 */
export function useMenuOpening(mode: MenuMode) {
  const panel = useRef<HTMLDivElement>(null)
  const [isOver, setOver] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const close = () => {
    setOver(false)
    setOpen(false)
  }
  // A pointer that rested on the wide menu must not open the narrow one.
  const [known, setKnown] = useState(mode)
  if (known !== mode) {
    setKnown(mode)
    close()
  }
  useEffect(() => {
    if (!isOver) return undefined
    // A pointer that only passes by opens nothing.
    const timer = setTimeout(() => setOpen(true), LAYOUT.subMenuDelayMs)
    return () => clearTimeout(timer)
  }, [isOver])
  const pressed = useEffectEvent(({ target }: Event) => {
    if (target instanceof Node && !panel.current?.contains(target)) close()
  })
  useEffect(() => {
    if (!isOpen) return undefined
    const listener = (event: Event) => pressed(event)
    document.addEventListener('pointerdown', listener, true)
    return () => document.removeEventListener('pointerdown', listener, true)
  }, [isOpen])
  return {
    close,
    panel: {
      ref: panel,
      'data-open': (mode === 'Auto' && isOpen) || undefined,
      onMouseEnter: () => setOver(true),
      onMouseLeave: close,
      onClick: ({ target }: MouseEvent) => (isOnLink(target) ? close() : setOpen(true)),
      onFocus: ({ target }: FocusEvent) => target.matches(':focus-visible') && setOpen(true),
      onBlur: ({ currentTarget, relatedTarget }: FocusEvent) =>
        !isOver && !currentTarget.contains(relatedTarget) && close(),
      onKeyDown: ({ key }: KeyboardEvent) => key === 'Escape' && close(),
    },
  }
}

const isOnLink = (target: EventTarget): boolean => target instanceof Element && target.closest('a') !== null
