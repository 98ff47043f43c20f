import { setDiagnostics } from '@codemirror/lint'
import type { EditorView } from '@codemirror/view'
import { useEffect } from 'react'
import type { RefObject } from 'react'
import type { ErrorPlace } from './error-place.ts'

/** Underlines the place of an error. */
export function useErrorMark(
  view: RefObject<EditorView | null>,
  tabId: string,
  error: ErrorPlace | null,
): void {
  useEffect(() => {
    const own = view.current
    if (!own) return
    const place = error && {
      from: error.from,
      to: error.to,
      severity: 'error' as const,
      message: error.message,
    }
    own.dispatch(setDiagnostics(own.state, place && place.to <= own.state.doc.length ? [place] : []))
    // oxlint-disable-next-line react/exhaustive-deps
  }, [tabId, error?.from, error?.to, error?.message])
}
