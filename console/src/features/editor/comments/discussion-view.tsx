import type { QueryComment } from '@boathouse/contract/editor-comments'
import type { QueryAccess } from '@boathouse/contract/editor-shares'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button, ConfirmDialog, IconButton } from '../../../ui/index.ts'
import { IconTrash } from '../icons.ts'
import { CommentForm } from './comment-form.tsx'
import type { Discussion } from './comment-lines.ts'
import type { Commenting } from './use-commenting.ts'
import styles from './comments.module.css'

interface Props {
  readonly discussion: Discussion
  readonly commenting: Commenting
  readonly access: QueryAccess
  readonly onGoTo: (line: number) => void
}

const nameOf = ({ userName }: QueryComment): string => userName ?? t('comments.removedUser')

/** What was said about one line. */
export function DiscussionView({ discussion, commenting, access, onGoTo }: Props) {
  const { comment, answers, line } = discussion
  const { commentId, isResolved, quote } = comment
  const [isAnswering, setAnswering] = useState(false)
  const [removed, setRemoved] = useState<QueryComment | null>(null)
  const mayResolve = comment.isOwn || access === 'own' || access === 'edit'
  const answer = async (said: { commentId: string; text: string }) => {
    await commenting.add({ ...said, line: line ?? comment.line, quote, replyTo: commentId })
    setAnswering(false)
  }
  return (
    <article className={styles['discussion']} data-resolved={isResolved}>
      <header>
        {line === null ? (
          <span className={styles['quiet']}>{t('comments.gone')}</span>
        ) : (
          <Button size="sm" variant="subtle" onClick={() => onGoTo(line)}>
            {t('comments.line', { line })}
          </Button>
        )}
        <code className={styles['quote']}>{quote}</code>
      </header>
      {[comment, ...answers].map((one) => (
        <Said
          key={one.commentId}
          comment={one}
          onRemove={one.isOwn || access === 'own' ? () => setRemoved(one) : null}
        />
      ))}
      <div className={styles['actions']}>
        {!isAnswering && (
          <Button size="sm" onClick={() => setAnswering(true)}>
            {t('comments.answer')}
          </Button>
        )}
        {mayResolve && (
          <Button size="sm" onClick={() => commenting.resolve(commentId, !isResolved)}>
            {t(isResolved ? 'comments.reopen' : 'comments.resolve')}
          </Button>
        )}
      </div>
      {isAnswering && (
        <CommentForm label={t('comments.yourAnswer')} send={t('comments.answer')} onSend={answer} />
      )}
      {removed && (
        <ConfirmDialog
          open
          danger
          title={t('comments.removal.title', { name: nameOf(removed) })}
          confirmLabel={t('comments.removal.confirm')}
          onConfirm={async () => {
            await commenting.remove(removed.commentId)
            setRemoved(null)
          }}
          onClose={() => setRemoved(null)}
        >
          <p>{t(removed.replyTo === null ? 'comments.removal.all' : 'comments.removal.one')}</p>
        </ConfirmDialog>
      )}
    </article>
  )
}

function Said({ comment, onRemove }: { comment: QueryComment; onRemove: (() => void) | null }) {
  const { createdAt, text } = comment
  const now = useNow()
  const name = nameOf(comment)
  return (
    <div className={styles['said']}>
      <p className={styles['by']}>
        <strong>{name}</strong>{' '}
        <time dateTime={createdAt} title={formatDateTime(createdAt)}>
          {formatRelative(createdAt, Math.max(now, Date.parse(createdAt)))}
        </time>
        {onRemove && (
          <IconButton size="sm" label={t('comments.delete', { name })} onClick={onRemove}>
            <IconTrash size={14} stroke={1.6} aria-hidden />
          </IconButton>
        )}
      </p>
      <p className={styles['text']}>{text}</p>
    </div>
  )
}
