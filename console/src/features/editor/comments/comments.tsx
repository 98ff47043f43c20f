import '../../../i18n/comments.ts'
import type { RefObject } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { startOfLine } from '../text/start-of-line.ts'
import type { SqlEditorHandle } from '../text/use-editor-handle.ts'
import { useCommentMarks } from './comment-marks.ts'
import { CommentsPanel } from './comments-panel.tsx'
import { useDiscussions } from './use-discussions.ts'
import styles from './comments.module.css'

interface Props {
  readonly tabId: string
  readonly sqlEditor: RefObject<SqlEditorHandle | null>
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** Marks in the text, and beside it what was said; closed, how many discussions are open. */
export function Comments({ tabId, sqlEditor, isOpen, onToggle }: Props) {
  const { store } = useEditorRuntime()
  const found = useDiscussions(tabId)
  useCommentMarks(tabId, sqlEditor, found.discussions)
  const open = found.discussions.filter(({ comment }) => !comment.isResolved).length
  if (isOpen)
    return (
      <CommentsPanel
        tabId={tabId}
        {...found}
        onGoTo={(line) => sqlEditor.current?.goTo(startOfLine(store.tab(tabId)?.sql ?? '', line))}
        onClose={onToggle}
      />
    )
  if (open === 0) return null
  return (
    <button type="button" className={styles['count']} onClick={onToggle}>
      {t('comments.open', { count: open })}
    </button>
  )
}
