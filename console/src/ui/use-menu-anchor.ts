import { useId, useState } from 'react'
import type { KeyboardEvent, MouseEvent } from 'react'

/** A button that opens a menu below itself, by a click or by the arrow keys. */
export function useMenuAnchor() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const id = useId()
  return {
    id,
    anchor,
    button: {
      'aria-haspopup': 'menu' as const,
      'aria-expanded': anchor !== null,
      ...(anchor ? { 'aria-controls': id } : {}),
      onClick({ currentTarget }: MouseEvent<HTMLElement>) {
        setAnchor((open) => (open ? null : currentTarget))
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        setAnchor(event.currentTarget)
      },
    },
    /** `returns`: the focus goes back to the button. */
    close(returns: boolean) {
      if (returns) anchor?.focus()
      setAnchor(null)
    },
  }
}
