import { LIMITS } from '@boathouse/contract/limits'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button, keyNames, TextArea } from '../../../ui/index.ts'
import styles from './comments.module.css'

interface Props {
  readonly label: string
  readonly send: string
  /** Rejects when it was not saved: the text stays, and comes again under its id. */
  readonly onSend: (comment: { commentId: string; text: string }) => Promise<unknown>
}

/** Where a comment is written. */
export function CommentForm({ label, send, onSend }: Props) {
  const [text, setText] = useState('')
  const [isSending, setSending] = useState(false)
  const commentId = useRef(crypto.randomUUID())
  const submit = async () => {
    if (text.trim() === '' || isSending) return
    setSending(true)
    try {
      await onSend({ commentId: commentId.current, text })
      commentId.current = crypto.randomUUID()
      setText('')
    } catch {
      // What went wrong was shown, and the text is still here.
    } finally {
      setSending(false)
    }
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    // Else the statement would run.
    event.preventDefault()
    void submit()
  }
  return (
    <form
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <TextArea
        label={label}
        rows={2}
        maxLength={LIMITS.queryCommentLength}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={pressed}
      />
      <Button
        type="submit"
        size="sm"
        loading={isSending}
        disabled={text.trim() === ''}
        title={keyNames('Mod', 'Enter')}
      >
        {send}
      </Button>
    </form>
  )
}
