import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { Checkbox, ErrorState, IconButton, Spinner } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { IconX } from '../icons.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { CommentForm } from './comment-form.tsx'
import { type Discussion, quoteOf } from './comment-lines.ts'
import { DiscussionView } from './discussion-view.tsx'
import { useCommenting } from './use-commenting.ts'
import styles from './comments.module.css'

interface Props {
  readonly tabId: string
  readonly discussions: readonly Discussion[]
  readonly isLoading: boolean
  readonly error: { readonly message: string } | null
  readonly reload: () => unknown
  readonly onGoTo: (line: number) => void
  readonly onClose: () => void
}

/** Beside the text: what people say about its lines. */
export function CommentsPanel(props: Props) {
  const { tabId, discussions, isLoading, error, reload, onGoTo, onClose } = props
  const { store } = useEditorRuntime()
  const line = useEditorState(store, ({ cursor }) => cursor.line)
  const commenting = useCommenting(tabId)
  const [showsResolved, setShowsResolved] = useState(false)
  const resolved = discussions.filter(({ comment }) => comment.isResolved).length
  const shown = discussions.filter(({ comment }) => showsResolved || !comment.isResolved)
  const quote = () => quoteOf(store.tab(tabId)?.sql.split('\n')[line - 1] ?? '')
  return (
    <section className={styles['panel']} data-pane aria-label={t('comments.label')}>
      <header className={styles['header']}>
        <h2>{t('comments.label')}</h2>
        {resolved > 0 && (
          <Checkbox
            label={t('comments.showResolved', { count: resolved })}
            checked={showsResolved}
            onChange={() => setShowsResolved(!showsResolved)}
          />
        )}
        <IconButton label={t('comments.close')} size="sm" onClick={onClose}>
          <IconX size={15} stroke={1.6} aria-hidden />
        </IconButton>
      </header>
      <div className={styles['list']}>
        {isLoading && <Spinner label={t('comments.loading')} />}
        {error && (
          <ErrorState title={t('comments.failed')} what={error.message} onRetry={() => void reload()} />
        )}
        {!isLoading && !error && shown.length === 0 && (
          <p className={styles['quiet']}>{t('comments.empty')}</p>
        )}
        {shown.map((one) => (
          <DiscussionView
            key={one.comment.commentId}
            discussion={one}
            commenting={commenting}
            access={store.tab(tabId)?.access ?? 'own'}
            onGoTo={onGoTo}
          />
        ))}
        <CommentForm
          label={t('comments.onLine', { line })}
          send={t('comments.add')}
          onSend={(comment) => commenting.add({ ...comment, line, quote: quote(), replyTo: null })}
        />
      </div>
    </section>
  )
}
