import { Annotation, EditorState, Transaction } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { useId, useLayoutEffect, useRef } from 'react'
import type { Ref } from 'react'
import { t } from '../../../i18n/texts.ts'
import styles from './sql-editor.module.css'
import type { ErrorPlace } from './error-place.ts'
import type { RunMode } from './run-target.ts'
import type { NameCache } from './name-cache.ts'
import { applyWrap, sqlExtensions } from './sql-extensions.ts'
import { type SqlEditorHandle, useEditorHandle } from './use-editor-handle.ts'
import { useErrorMark } from './use-error-mark.ts'
import { useTypedAhead } from './use-typed-ahead.ts'

export interface SqlEditorProps {
  readonly tabId: string
  readonly text: string
  /** It can be looked at, and changes with what is saved elsewhere. */
  readonly isReadOnly?: boolean
  readonly error: ErrorPlace | null
  /** What is offered while writing. */
  readonly names: NameCache
  readonly onEdit: (tabId: string, text: string) => void
  /** Others have changed it. */
  readonly onRemote: (tabId: string, text: string) => void
  readonly onRun: (mode: RunMode) => void
  readonly onCursor: (cursor: { line: number; column: number; selected: number }) => void
  readonly ref?: Ref<SqlEditorHandle>
}

/** Marks a change that came from outside, so that it is not reported back as an edit. */
const fromOutside = Annotation.define<boolean>()

function cursorOf({ doc, selection: { main } }: EditorState) {
  const { number, from } = doc.lineAt(main.head)
  return { line: number, column: main.head - from + 1, selected: main.to - main.from }
}

function useLatest<T>(value: T): { readonly current: T } {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}

export function SqlEditor(props: SqlEditorProps) {
  const { tabId, text, error } = props
  const hintId = useId()
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const latest = useLatest(props)
  /** The state of each tab when it was left, with its cursor and its undo history. */
  const states = useRef(new Map<string, EditorState>())
  const shownTab = useRef(tabId)
  /** What the editor itself last reported: comparing with it is cheaper than reading the whole text again. */
  const reported = useRef<string | null>(null)

  const newState = (doc: string) =>
    EditorState.create({
      doc,
      extensions: [
        sqlExtensions(
          { label: t('editor.text.label'), placeholder: t('editor.text.placeholder'), describedBy: hintId },
          latest.current.names,
          (mode) => latest.current.onRun(mode),
        ),
        // Of each moment: what the user may do with a query of others changes while it is open.
        EditorState.changeFilter.of((change) => change.annotation(fromOutside) || !latest.current.isReadOnly),
        EditorView.contentAttributes.of(() => ({
          'aria-readonly': String(latest.current.isReadOnly ?? false),
        })),
        EditorView.updateListener.of((update) => {
          const isEdit = update.docChanged && !update.transactions.some((one) => one.annotation(fromOutside))
          if (isEdit) {
            reported.current = update.state.doc.toString()
            const isRemote = update.transactions.some((one) => one.annotation(Transaction.remote))
            latest.current[isRemote ? 'onRemote' : 'onEdit'](shownTab.current, reported.current)
          }
          if (update.docChanged || update.selectionSet) latest.current.onCursor(cursorOf(update.state))
        }),
      ],
    })

  useLayoutEffect(() => {
    if (!host.current) return
    const own = new EditorView({ parent: host.current, state: newState(latest.current.text) })
    view.current = own
    latest.current.onCursor(cursorOf(own.state))
    return () => {
      view.current = null
      own.destroy()
    }
    // The view lives as long as the component; changes are dispatched to it below.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  useLayoutEffect(() => {
    const own = view.current
    if (!own) return
    if (shownTab.current !== tabId) {
      const known = states.current.get(tabId)
      // The copy of a sample continues where the first key was pressed, with cursor and history.
      const isCopy = known === undefined && reported.current === text
      if (isCopy) states.current.delete(shownTab.current)
      else states.current.set(shownTab.current, own.state)
      shownTab.current = tabId
      if (isCopy) return
      reported.current = null
      own.setState(known ?? newState(text))
      if (known) applyWrap(own)
      latest.current.onCursor(cursorOf(own.state))
    }
    if (text === reported.current || own.state.doc.toString() === text) return
    reported.current = null
    // An ordinary change, so that it can be undone.
    own.dispatch({
      changes: { from: 0, to: own.state.doc.length, insert: text },
      annotations: fromOutside.of(true),
    })
    // oxlint-disable-next-line react/exhaustive-deps
  }, [tabId, text])

  useTypedAhead(view, tabId)
  useErrorMark(view, tabId, error)
  useEditorHandle(view, props.ref, { states, shownTab, onRemote: props.onRemote })

  return (
    <div className={styles['editor']}>
      <p id={hintId} className="visually-hidden">
        {t('editor.text.leave')}
      </p>
      <div ref={host} className={styles['host']} />
    </div>
  )
}
