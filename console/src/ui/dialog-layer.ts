import { useEffect, useId, useSyncExternalStore } from 'react'

/** Of the dialogs that are open, in the order in which they were opened. */
let layers: readonly string[] = []
const listeners = new Set<() => void>()

function become(next: readonly string[]): void {
  layers = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

interface Layer {
  /** 0 for the lowest. */
  readonly depth: number
  /** Escape is meant for the top layer alone. */
  readonly isTop: boolean
}

/** For an open dialog: the one opened last is above the others, wherever it is in the page. */
export function useDialogLayer(): Layer {
  const id = useId()
  useEffect(() => {
    become([...layers, id])
    return () => become(layers.filter((one) => one !== id))
  }, [id])
  const order = useSyncExternalStore(subscribe, () => layers)
  return { depth: Math.max(0, order.indexOf(id)), isTop: order.at(-1) === id }
}
