import { useState } from 'react'
import { useKept } from '../../../lib/kept.ts'
import { isSideShown } from './side/side-shown.ts'
import type { SideShown } from './side/side-shown.ts'
import { isDisplay, PLAIN_DISPLAY } from './view/display.ts'
import type { Display } from './view/display.ts'

/** How somebody likes to look at rows, whatever they are of. */
export interface Looks {
  readonly shown: SideShown
  readonly show: (shown: SideShown) => void
  readonly display: Display
  readonly setDisplay: (display: Display) => void
  readonly isSearching: boolean
  readonly search: (isSearching: boolean) => void
}

export function useLooks(): Looks {
  const [shown, show] = useKept<SideShown>('result-side', 'nothing', isSideShown)
  const [display, setDisplay] = useKept<Display>('result-display', PLAIN_DISPLAY, isDisplay)
  const [isSearching, search] = useState(false)
  return { shown, show, display, setDisplay, isSearching, search }
}
