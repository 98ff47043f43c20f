import { type RefObject, useEffect, useRef } from 'react'

/** For what tells something below the fold: it is brought into view with each new thing that it tells. */
export function useInView<T extends HTMLElement>(shown: unknown): RefObject<T | null> {
  const element = useRef<T>(null)
  useEffect(() => {
    if (shown) element.current?.scrollIntoView?.({ block: 'nearest' })
  }, [shown])
  return element
}
