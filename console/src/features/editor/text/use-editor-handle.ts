import { snippet } from '@codemirror/autocomplete'
import { EditorView } from '@codemirror/view'
import { useImperativeHandle } from 'react'
import type { Ref, RefObject } from 'react'
import { format } from './format-command.ts'
import type { EditorState, Transaction } from '@codemirror/state'
import type { TextSelection } from './run-target.ts'

export interface SqlEditorHandle {
  focus(): void
  selection(): TextSelection
  selectedText(): string
  /** Moves the cursor there, scrolls to it and focuses the editor. */
  goTo(offset: number): void
  /** Selects a statement, if it is still there; the keyboard stays where it is. */
  mark(place: { readonly from: number; readonly text: string }): void
  /** In place of the selection, as if it were typed. */
  insert(text: string): void
  /** In place of the selection, with the cursor in its first field. */
  insertSnippet(template: string): void
  /** The selection, or all of the text. */
  format(): void
  /** Of any tab that was shown. */
  stateOf(tabId: string): EditorState | undefined
  /** On the screen or not. */
  apply(tabId: string, transaction: Transaction): void
}

/** The states of the tabs that are not shown, and which one is. */
interface TabStates {
  readonly states: RefObject<Map<string, EditorState>>
  readonly shownTab: RefObject<string>
  readonly onRemote: (tabId: string, text: string) => void
}

/** What the page around the editor can do with it. */
export function useEditorHandle(
  view: RefObject<EditorView | null>,
  ref: Ref<SqlEditorHandle> | undefined,
  { states, shownTab, onRemote }: TabStates,
): void {
  useImperativeHandle(
    ref,
    () => ({
      focus: () => view.current?.focus(),
      selection: () => {
        const main = view.current?.state.selection.main
        return { from: main?.from ?? 0, to: main?.to ?? 0, head: main?.head ?? 0 }
      },
      selectedText: () => {
        const state = view.current?.state
        return state?.sliceDoc(state.selection.main.from, state.selection.main.to) ?? ''
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
      insertSnippet: (template) => {
        const own = view.current
        if (!own) return
        const { from, to } = own.state.selection.main
        own.focus()
        snippet(template)(own, null, from, to)
      },
      format: () => void (view.current && format(view.current)),
      stateOf: (tabId) => (tabId === shownTab.current ? view.current?.state : states.current.get(tabId)),
      apply: (tabId, transaction) => {
        if (tabId === shownTab.current) return view.current?.dispatch(transaction)
        states.current.set(tabId, transaction.state)
        if (transaction.docChanged) onRemote(tabId, transaction.newDoc.toString())
      },
    }),
    [view, states, shownTab, onRemote],
  )
}
