import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Asked } from './query-dialogs.tsx'
import type { OpenTab } from './use-open-tab.ts'

/** Keys that mean the same everywhere on the page. */
export function useEditorKeys(opened: OpenTab, onAsk: (asked: Asked) => void): void {
  const latest = useRef({ opened, onAsk })
  useLayoutEffect(() => {
    latest.current = { opened, onAsk }
  })
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      const { opened: now } = latest.current
      const mod = event.ctrlKey || event.metaKey
      const key = event.key.toLowerCase()
      // Everything is saved by itself: the browser's dialog would only save the page.
      if (mod && key === 's') event.preventDefault()
      else if (mod && event.shiftKey && key === 't') {
        event.preventDefault()
        void now.reopenTab()
      } else if (event.altKey && !mod && event.code === 'KeyW' && now.tabId !== null) {
        event.preventDefault()
        void now.closeTab(now.tabId)
      }
    }
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
}
