import { createContext, use } from 'react'

/** What a menu must know of the pill that opened it. */
interface Opened {
  readonly id: string
  readonly anchor: HTMLElement
  /** Whether the focus goes back to the pill. */
  readonly onClose: (returns: boolean) => void
}

export const OpenPill = createContext<Opened | null>(null)

export function useOpenPill(): Opened {
  const opened = use(OpenPill)
  if (!opened) throw new Error('A menu of a pill stands in one.')
  return opened
}
