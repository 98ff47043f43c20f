import { useEffect, useState } from 'react'
import type { RefObject } from 'react'

interface Heights {
  /** Of the room, until the user moves the handle. */
  readonly share: number
  /** Pixels that the upper part can use; it leaves the rest to the other one. */
  readonly needed?: number
  /** Pixels, of the upper part and of what is below it. */
  readonly min: number
  readonly minRest: number
  /** What the user chose before; null: nothing. */
  readonly kept?: number | null
  readonly onKeep?: (height: number) => void
}

/** Of the upper of two parts; never so much that the lower one disappears. */
export function useSplitHeight(area: RefObject<HTMLElement | null>, heights: Heights) {
  const { share, needed = Infinity, min, minRest, kept = null, onKeep } = heights
  const [room, setRoom] = useState(600)
  const [chosen, setChosen] = useState<number | null>(kept)
  useEffect(() => {
    if (!area.current) return
    const observer = new ResizeObserver(([entry]) => entry && setRoom(entry.contentRect.height))
    observer.observe(area.current)
    return () => observer.disconnect()
  }, [area])
  const max = Math.max(min, Math.round(room) - minRest)
  const height = Math.max(min, Math.min(max, chosen ?? Math.min(needed, Math.round(room * share))))
  const setHeight = (next: number) => {
    setChosen(next)
    onKeep?.(next)
  }
  return { height, max, setHeight }
}
