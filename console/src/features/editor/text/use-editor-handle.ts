import { EditorView } from '@codemirror/view'
import { useImperativeHandle } from 'react'
import type { Ref, RefObject } from 'react'
import { format } from './format-command.ts'
import type { TextSelection } from './run-target.ts'

export interface SqlEditorHandle {
  focus(): void
  selection(): TextSelection
  /** Moves the cursor there, scrolls to it and focuses the editor. */
  goTo(offset: number): void
  /** Selects a statement, if it is still there; the keyboard stays where it is. */
  mark(place: { readonly from: number; readonly text: string }): void
  /** In place of the selection, as if it were typed. */
  insert(text: string): void
  /** The selection, or all of the text. */
  format(): void
}

/** What the page around the editor can do with it. */
export function useEditorHandle(
  view: RefObject<EditorView | null>,
  ref: Ref<SqlEditorHandle> | undefined,
): void {
  useImperativeHandle(
    ref,
    () => ({
      focus: () => view.current?.focus(),
      selection: () => {
        const main = view.current?.state.selection.main
        return { from: main?.from ?? 0, to: main?.to ?? 0, head: main?.head ?? 0 }
      },
      goTo: (offset) => {
        const own = view.current
        if (!own) return
        own.dispatch({
          selection: { anchor: Math.min(offset, own.state.doc.length) },
          effects: EditorView.scrollIntoView(Math.min(offset, own.state.doc.length), { y: 'center' }),
        })
        own.focus()
      },
      mark: ({ from, text: marked }) => {
        const own = view.current
        const to = from + marked.length
        if (!own || own.state.sliceDoc(from, to) !== marked) return
        own.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true })
      },
      insert: (inserted) => {
        const own = view.current
        if (!own) return
        own.dispatch(own.state.replaceSelection(inserted), { userEvent: 'input', scrollIntoView: true })
        own.focus()
      },
      format: () => void (view.current && format(view.current)),
    }),
    [view],
  )
}
