import { StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'
import { useEffect } from 'react'
import type { RefObject } from 'react'
import type { SqlEditorHandle } from '../text/use-editor-handle.ts'
import type { Discussion } from './comment-lines.ts'
import styles from './comments.module.css'

const setMarked = StateEffect.define<readonly number[]>()
const MARK = Decoration.line({ class: styles['commented'] ?? '' })

/** Lines that have comments. They move with the text until it is known where they are now. */
const commentedLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { effects, docChanged, changes, newDoc }) {
    const change = effects.find((effect) => effect.is(setMarked))
    if (!change) return docChanged ? shown.map(changes) : shown
    const lines = change.value.filter((line) => line <= newDoc.lines)
    return Decoration.set(
      lines.map((line) => MARK.range(newDoc.line(line).from)),
      true,
    )
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Marks lines with an open discussion in the text. */
export function useCommentMarks(
  tabId: string,
  sqlEditor: RefObject<SqlEditorHandle | null>,
  discussions: readonly Discussion[],
): void {
  useEffect(() => {
    const lines = discussions.flatMap(({ comment, line }) =>
      line === null || comment.isResolved ? [] : [line],
    )
    const host = sqlEditor.current
    const state = host?.stateOf(tabId)
    if (!host || !state) return
    const isThere = state.field(commentedLines, false) !== undefined
    if (!isThere && lines.length === 0) return
    const effects = [
      ...(isThere ? [] : [StateEffect.appendConfig.of(commentedLines)]),
      setMarked.of([...new Set(lines)]),
    ]
    host.apply(tabId, state.update({ effects }))
  }, [tabId, sqlEditor, discussions])
}
