import { type RefObject, useEffect, useRef } from 'react'

/** For messages below the fold: one scrolls into view whenever its text changes. */
export function useInView<T extends HTMLElement>(shown: unknown): RefObject<T | null> {
  const element = useRef<T>(null)
  useEffect(() => {
    if (shown) element.current?.scrollIntoView?.({ block: 'nearest' })
  }, [shown])
  return element
}
