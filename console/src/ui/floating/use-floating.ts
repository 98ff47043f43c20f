import { useLayoutEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { type Beside, placeBeside } from './place-beside.ts'

/**
 * For an element with `popover="manual"`, which the browser shows above everything and clips nowhere. Keeps it beside
 * its anchor.
 */
export function useFloating<E extends HTMLElement>(
  anchor: Element,
  { side, align }: Beside,
): RefObject<E | null> {
  const floating = useRef<E>(null)
  useLayoutEffect(() => {
    const element = floating.current
    if (!element) return undefined
    const settle = () => {
      const size = { width: element.offsetWidth, height: element.offsetHeight }
      const window = { width: globalThis.innerWidth, height: globalThis.innerHeight }
      const { left, top } = placeBeside(anchor.getBoundingClientRect(), size, { side, align, window })
      element.style.left = `${left}px`
      element.style.top = `${top}px`
    }
    element.showPopover()
    settle()
    const resized = new ResizeObserver(settle)
    resized.observe(element)
    resized.observe(anchor)
    window.addEventListener('resize', settle)
    window.addEventListener('scroll', settle, true)
    return () => {
      resized.disconnect()
      window.removeEventListener('resize', settle)
      window.removeEventListener('scroll', settle, true)
      element.hidePopover()
    }
  }, [anchor, side, align])
  return floating
}
