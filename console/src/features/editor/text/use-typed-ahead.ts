import type { EditorView } from '@codemirror/view'
import { useEffect } from 'react'
import type { RefObject } from 'react'
import { takeTyped } from '../../../lib/typed-ahead.ts'

/** Adds what the user typed while the page was still loading. */
export function useTypedAhead(view: RefObject<EditorView | null>, tabId: string): void {
  useEffect(() => {
    const typed = takeTyped(tabId)
    if (typed === null) return
    // After the new page, which moves the focus to its beginning.
    queueMicrotask(() => {
      const own = view.current
      if (!own) return
      const end = own.state.doc.length
      own.focus()
      own.dispatch({
        changes: { from: end, insert: typed },
        selection: { anchor: end + typed.length },
        userEvent: 'input',
      })
    })
  }, [view, tabId])
}
