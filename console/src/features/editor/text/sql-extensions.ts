import {
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { sql } from '@codemirror/lang-sql'
import { bracketMatching } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, Prec } from '@codemirror/state'
import type { Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import { isBoolean, readKept, writeKept } from '../../../lib/kept.ts'
import { format } from './format-command.ts'
import { findPanel } from './find-panel.ts'
import type { RunMode } from './run-target.ts'
import { sqlCompletion } from './sql-completion.ts'
import type { NameCache } from './name-cache.ts'
import { sqlDialect } from './sql-dialect.ts'
import { sqlTheme } from './sql-theme.ts'
import { statementOutline } from './statement-outline.ts'

export interface SqlExtensionTexts {
  readonly label: string
  readonly placeholder: string
  /** Id of the element that says how to leave the editor with the keyboard. */
  readonly describedBy: string
}

const lineWrap = new Compartment()
const wrapOf = (wraps: boolean): Extension => (wraps ? EditorView.lineWrapping : [])

/** Each tab has a state of its own, and all wrap alike. */
export function applyWrap(view: EditorView): void {
  const wraps = readKept('wraps-lines', isBoolean) ?? false
  view.dispatch({ effects: lineWrap.reconfigure(wrapOf(wraps)) })
}

function toggleWrap(view: EditorView): boolean {
  writeKept('wraps-lines', !(readKept('wraps-lines', isBoolean) ?? false))
  applyWrap(view)
  return true
}

const runKeys = (onRun: (mode: RunMode) => void): Extension => {
  const runs = (mode: RunMode) => (view: EditorView) => {
    // A user who runs the text has finished writing: the list would cover the result and take the next Escape.
    closeCompletion(view)
    onRun(mode)
    return true
  }
  return Prec.highest(
    keymap.of([
      { key: 'Mod-Enter', run: runs('statement'), preventDefault: true },
      { key: 'Shift-Mod-Enter', run: runs('all'), preventDefault: true },
      { key: 'Alt-z', run: toggleWrap, preventDefault: true },
      { key: 'Shift-Alt-f', run: format, preventDefault: true },
    ]),
  )
}

/** An open list closes with the focus; one that is still loading would open after the focus has gone. */
const forgetPendingList = EditorView.domEventHandlers({
  blur(_, view) {
    if (completionStatus(view.state) === 'pending') queueMicrotask(() => closeCompletion(view))
  },
})

/** The language gets no schema: with thousands of tables that blocks typing. */
export const sqlExtensions = (
  texts: SqlExtensionTexts,
  names: NameCache,
  onRun: (mode: RunMode) => void,
): Extension => [
  runKeys(onRun),
  lineWrap.of(wrapOf(readKept('wraps-lines', isBoolean) ?? false)),
  lineNumbers(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  history(),
  drawSelection(),
  EditorState.allowMultipleSelections.of(true),
  bracketMatching(),
  closeBrackets(),
  sqlCompletion(names),
  forgetPendingList,
  findPanel(),
  highlightSelectionMatches(),
  EditorState.tabSize.of(2),
  sql({ dialect: sqlDialect }),
  sqlTheme,
  statementOutline,
  placeholder(texts.placeholder),
  EditorView.contentAttributes.of({
    'aria-label': texts.label,
    'aria-describedby': texts.describedBy,
    spellcheck: 'false',
    // Editable text is focusable without it, but tools that check this look for it.
    tabindex: '0',
  }),
  // Tab indents; Escape and then Tab leaves, which the editor's view sees to.
  keymap.of([
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...completionKeymap,
    ...lintKeymap,
    indentWithTab,
  ]),
]
