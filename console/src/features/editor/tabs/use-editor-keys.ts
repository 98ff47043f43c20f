import { useEffect, useLayoutEffect, useRef } from 'react'
import type { OpenTab } from './use-open-tab.ts'

interface Parts {
  readonly opened: OpenTab
  readonly onSide: () => void
  readonly onResult: () => void
  readonly onStop: () => void
  readonly onNextPart: () => void
}

/** Keys that mean the same everywhere on the page. */
export function useEditorKeys(parts: Parts): void {
  const latest = useRef(parts)
  useLayoutEffect(() => {
    latest.current = parts
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { opened: now, onSide, onResult, onStop, onNextPart } = latest.current
      const mod = event.ctrlKey || event.metaKey
      const key = event.key.toLowerCase()
      // Everything is saved automatically: the browser's dialog would only save the page.
      if (mod && key === 's') event.preventDefault()
      else if (mod && event.shiftKey && key === 't') {
        event.preventDefault()
        void now.reopenTab()
      } else if (event.altKey && !mod && event.code === 'KeyW' && now.tabId !== null) {
        event.preventDefault()
        void now.closeTab(now.tabId)
      } else {
        const act = { b: mod && onSide, j: mod && onResult, '.': mod && onStop, f6: !mod && onNextPart }[key]
        if (!act || event.shiftKey || event.altKey) return
        event.preventDefault()
        act()
      }
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
}
