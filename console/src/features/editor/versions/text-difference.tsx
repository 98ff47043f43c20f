import '../../../i18n/versions.ts'
import { sql } from '@codemirror/lang-sql'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useLayoutEffect, useRef } from 'react'
import { t } from '../../../i18n/texts.ts'
import { sqlDialect } from '../text/sql-dialect.ts'
import { sqlTheme } from '../text/sql-theme.ts'
import styles from './versions.module.css'

export interface NamedText {
  readonly label: string
  readonly text: string
}

/** Below it two texts beside each other are too narrow: the lines of both are in one. */
const LEAST_BESIDE_PX = 560
/** Differences of long texts are found line by line rather than not at all. */
const DIFF = { scanLimit: 500, timeout: 200 }
const COLLAPSE = { margin: 3, minSize: 6 }

const changed = (token: string) => `color-mix(in srgb, var(--${token}) 26%, transparent)`
const theme = EditorView.theme({
  '&': { height: 'auto' },
  '.cm-content': { padding: '6px 0' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--err-soft)' },
  '&.cm-merge-b .cm-changedLine, .cm-insertedLine, & .cm-changedLine': { backgroundColor: 'var(--ok-soft)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': { background: changed('err') },
  '&.cm-merge-b .cm-changedText, & .cm-changedText': { background: changed('ok') },
  '.cm-deletedLine, .cm-deletedChunk del': { textDecoration: 'none' },
  '.cm-collapsedLines': { background: 'var(--sunken)', color: 'var(--muted)', font: '12px/20px var(--font)' },
})

const readOnly = (label: string): Extension => [
  EditorState.readOnly.of(true),
  EditorView.editable.of(false),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({
    'aria-label': label,
    tabindex: '0',
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-readonly': 'true',
  }),
  lineNumbers(),
  sql({ dialect: sqlDialect }),
  // Before the theme of the editor, whose measures it changes.
  theme,
  sqlTheme,
]

function show(parent: HTMLElement, before: NamedText, after: NamedText): { destroy(): void } {
  const common = { collapseUnchanged: COLLAPSE, diffConfig: DIFF }
  if (parent.clientWidth >= LEAST_BESIDE_PX)
    return new MergeView({
      parent,
      a: { doc: before.text, extensions: readOnly(before.label) },
      b: { doc: after.text, extensions: readOnly(after.label) },
      ...common,
    })
  const extensions = [
    readOnly(after.label),
    unifiedMergeView({ original: before.text, mergeControls: false, ...common }),
  ]
  return new EditorView({ parent, state: EditorState.create({ doc: after.text, extensions }) })
}

/** Two texts beside each other, with the lines that differ; what is new is at the right. */
export function TextDifference({ before, after }: { before: NamedText; after: NamedText }) {
  const host = useRef<HTMLDivElement>(null)
  const isSame = before.text === after.text
  useLayoutEffect(() => {
    if (!host.current || isSame) return
    const view = show(host.current, before, after)
    return () => view.destroy()
    // oxlint-disable-next-line react/exhaustive-deps
  }, [before.text, after.text, before.label, after.label])
  return (
    <div className={styles['difference']}>
      <div className={styles['labels']}>
        <h3>{before.label}</h3>
        <h3>{after.label}</h3>
      </div>
      {isSame && (
        <p className={styles['same']} role="status">
          {t('versions.same')}
        </p>
      )}
      <div ref={host} className={styles['texts']} hidden={isSame} />
    </div>
  )
}
