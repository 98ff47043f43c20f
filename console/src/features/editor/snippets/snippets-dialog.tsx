import '../../../i18n/snippets.ts'
import { type Snippet, snippetCalls } from '@boathouse/contract/editor-snippets'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { Button, Dialog, EmptyState, ErrorState, Spinner } from '../../../ui/index.ts'
import type { DialogProps } from '../tabs/query-dialogs.tsx'
import { snippetOf } from '../text/snippet-text.ts'
import { SnippetForm } from './snippet-form.tsx'
import { SnippetList } from './snippet-list.tsx'
import styles from './snippets.module.css'

interface Props extends DialogProps {
  readonly onInsert: (template: string) => void
}

const newSnippet = (sql: string): Snippet => ({
  snippetId: crypto.randomUUID(),
  name: '',
  text: snippetOf(sql),
})

/** The user's own snippets. What was selected in the editor is a new one at once. */
export function SnippetsDialog({ asked: { name: selected }, open, onClose, onInsert }: Props) {
  const [edited, setEdited] = useState(() => (selected === '' ? null : newSnippet(selected)))
  const [deleted, setDeleted] = useState<Snippet | null>(null)
  const snippets = useCall(snippetCalls.snippets, {}, { staleTime: 0 })
  const refreshes = [snippetCalls.snippets]
  const save = useAction(snippetCalls.saveSnippet, { refreshes })
  const remove = useAction(snippetCalls.deleteSnippet, { refreshes })
  const isNew = edited !== null && edited.name === ''
  const list = snippets.data?.list ?? []
  const title = !edited
    ? t('snippets.title')
    : isNew
      ? t('snippets.create')
      : t('snippets.edit', { name: edited.name })
  const insert = ({ text }: Snippet) => {
    // The focus is back where it was before it goes into the text.
    flushSync(onClose)
    onInsert(text)
  }
  const undo = () => deleted && save.mutate(deleted, { onSuccess: () => setDeleted(null) })
  return (
    <Dialog open={open} onClose={onClose} title={title} width={760} closeOnClickOutside={edited === null}>
      {edited ? (
        <SnippetForm snippet={edited} onDone={() => setEdited(null)} />
      ) : (
        <>
          <p className={styles['about']}>{t('snippets.about')}</p>
          {snippets.isPending && <Spinner label={t('snippets.loading')} />}
          {snippets.isError && (
            <ErrorState
              title={t('snippets.failed')}
              what={snippets.error.message}
              onRetry={() => void snippets.refetch()}
            />
          )}
          {snippets.data && list.length === 0 && (
            <EmptyState title={t('snippets.empty')}>
              <p>{t('snippets.emptyWhy')}</p>
            </EmptyState>
          )}
          {list.length > 0 && (
            <SnippetList
              snippets={list}
              onInsert={insert}
              onEdit={setEdited}
              onDelete={(one) =>
                remove.mutate({ snippetId: one.snippetId }, { onSuccess: () => setDeleted(one) })
              }
            />
          )}
          <p className={styles['deleted']} role="status">
            {deleted && (
              <>
                {t('snippets.deleted', { name: deleted.name })}
                <Button size="sm" loading={save.isPending} onClick={undo}>
                  {t('snippets.undo')}
                </Button>
              </>
            )}
          </p>
          <div className={styles['buttons']}>
            <Button variant="primary" onClick={() => setEdited(newSnippet(''))}>
              {t('snippets.create')}
            </Button>
          </div>
        </>
      )}
    </Dialog>
  )
}
