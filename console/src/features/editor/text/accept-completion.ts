import {
  acceptCompletion,
  completionStatus,
  selectedCompletionIndex,
  setSelectedCompletion,
} from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import { readKept } from '../../../lib/kept.ts'
import { isCompletionKeys } from './completion-keys.ts'

/** The one that is marked, else the first. */
function accept(view: EditorView): boolean {
  if (completionStatus(view.state) !== 'active') return false
  if (selectedCompletionIndex(view.state) === null) view.dispatch({ effects: setSelectedCompletion(0) })
  return acceptCompletion(view)
}

/** A list that opened without a word leaves Enter alone, unless the arrows have chosen something. */
function isWritten({ state }: EditorView): boolean {
  const { head } = state.selection.main
  return /[\p{L}\p{N}_$"`]$/u.test(state.sliceDoc(Math.max(0, head - 1), head))
}

/**
 * Tab takes what is offered, unless the user has chosen Enter. Enter is a new line, unless it was chosen or the arrows
 * have chosen something.
 */
export function acceptBy(key: 'tab' | 'enter', view: EditorView): boolean {
  const keys = readKept('completion-keys', isCompletionKeys) ?? 'tab'
  return (keys === key || keys === 'both') && (key === 'tab' || isWritten(view)) && accept(view)
}
