import { assistant, type AssistantTask, ASSISTANT_TASKS } from '@boathouse/contract/assistant'
import type { Output } from '@boathouse/contract/call'
import { LIMITS } from '@boathouse/contract/limits'
import { QUERY_STATES } from '@boathouse/contract/realtime'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import '../../../i18n/assistant.ts'
import { t } from '../../../i18n/texts.ts'
import { send, useCall } from '../../../lib/api.ts'
import {
  Button,
  Checkbox,
  CodeArea,
  Dialog,
  EmptyState,
  ErrorState,
  Segmented,
  Spinner,
  Stack,
  TextField,
  useCopy,
} from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { completionNames } from '../schema/completion-names.ts'
import { shownRun } from '../tabs/editor-tab.ts'
import type { DialogProps } from '../tabs/query-dialogs.tsx'
import { composedText, sqlIn, tablesOf } from './composed-text.ts'
import styles from './assistant.module.css'

interface Props extends DialogProps {
  readonly onInsert: (text: string) => void
}

type About = NonNullable<Output<typeof assistant.about>['assistant']>

/** Shows what would be sent and where to, sends it when that is confirmed, and shows the answer. */
export function AssistantDialog({ asked, open, onClose, onInsert }: Props) {
  const about = useCall(assistant.about, {}, { silent: true })
  const insert = (text: string) => {
    onClose()
    onInsert(text)
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('assistant.title')}
      width={760}
      closeOnClickOutside={false}
    >
      {about.isPending && <Spinner label={t('assistant.loading')} />}
      {about.isError && (
        <ErrorState
          title={t('assistant.failed')}
          what={about.error.message}
          onRetry={() => void about.refetch()}
        />
      )}
      {about.data?.assistant === null && (
        <EmptyState title={t('assistant.none')}>{t('assistant.noneWhy')}</EmptyState>
      )}
      {about.data?.assistant && (
        <Question about={about.data.assistant} tabId={asked.id} sql={asked.name} onInsert={insert} />
      )}
    </Dialog>
  )
}

interface QuestionProps {
  readonly about: About
  readonly tabId: string
  /** The statement at the cursor; may be empty. */
  readonly sql: string
  readonly onInsert: (text: string) => void
}

/** What went wrong with the run that is shown; null: nothing did. */
function useFailure(tabId: string) {
  const tab = useEditorRuntime().store.tab(tabId)
  const failed = tab && shownRun(tab)?.statements.find(({ state }) => state === QUERY_STATES.Failed)
  return failed ? { sql: failed.sql, error: failed.errMsg } : null
}

function useTables(tabId: string, isWanted: boolean) {
  const { store } = useEditorRuntime()
  const queries = useQueryClient()
  const { catalog = '', database = '' } = store.tab(tabId) ?? {}
  const found = useQuery({
    queryKey: ['assistant-tables', catalog, database],
    queryFn: () => {
      const names = completionNames(queries, store)
      return tablesOf(names, names.place())
    },
    enabled: isWanted,
  })
  return {
    place: database || catalog,
    tables: isWanted ? (found.data ?? []) : [],
    isLoading: found.isFetching,
  }
}

function Question({ about, tabId, sql, onInsert }: QuestionProps) {
  const failure = useFailure(tabId)
  const [task, setTask] = useState<AssistantTask>(failure ? 'error' : sql === '' ? 'draft' : 'statement')
  const [question, setQuestion] = useState('')
  const [withTables, setWithTables] = useState(true)
  const { place, tables, isLoading } = useTables(tabId, withTables && task !== 'statement')
  const [changed, setChanged] = useState<string | null>(null)
  const composed = {
    error: () => composedText({ ...failure, tables }),
    statement: () => composedText({ sql }),
    draft: () => composedText({ question, tables }),
  }[task]()
  const text = (changed ?? composed).slice(0, LIMITS.assistantLength)
  const ask = useMutation({
    mutationFn: () => send(assistant.ask, { task, text }, { silent: true }),
  })
  const lacks =
    (task === 'error' && !failure && t('assistant.noError')) ||
    (task === 'statement' && sql === '' && t('assistant.empty'))
  const change = (next: AssistantTask) => {
    setTask(next)
    setChanged(null)
    ask.reset()
  }
  const canSend =
    !lacks && text.trim() !== '' && (task !== 'draft' || question.trim() !== '' || changed !== null)
  return (
    <Stack>
      <Segmented
        label={t('assistant.task')}
        value={task}
        segments={ASSISTANT_TASKS.map((value) => ({ value, label: t(`assistant.tasks.${value}`) }))}
        onChange={change}
      />
      {task === 'draft' && (
        <TextField
          label={t('assistant.question')}
          placeholder={t('assistant.questionPlaceholder')}
          value={question}
          data-autofocus
          onChange={(event) => setQuestion(event.target.value)}
        />
      )}
      {task !== 'statement' && changed === null && (
        <Checkbox label={t('assistant.tables', { place })} checked={withTables} onChange={setWithTables} />
      )}
      {lacks ? (
        <p className={styles['words']}>{lacks}</p>
      ) : (
        <CodeArea
          label={t('assistant.text')}
          help={t('assistant.textHelp', about)}
          rows={8}
          maxLength={LIMITS.assistantLength}
          value={text}
          onChange={(event) => setChanged(event.target.value)}
        />
      )}
      <div className={styles['actions']}>
        <Button
          variant="primary"
          disabled={!canSend || isLoading}
          loading={ask.isPending}
          onClick={() => ask.mutate()}
        >
          {t('assistant.send', about)}
        </Button>
      </div>
      {ask.isError && <p role="alert">{ask.error.message}</p>}
      {ask.data && <Answer answer={ask.data.answer} onInsert={onInsert} />}
    </Stack>
  )
}

function Answer({ answer, onInsert }: { answer: string; onInsert: (text: string) => void }) {
  const copy = useCopy()
  const sql = sqlIn(answer)
  return (
    <section aria-label={t('assistant.answer')} aria-live="polite">
      <p className={styles['words']}>{t('assistant.check')}</p>
      <div className={styles['answer']}>{answer}</div>
      <div className={styles['actions']}>
        <Button onClick={() => copy(answer)}>{t('assistant.copy')}</Button>
        {sql !== null && (
          <Button variant="primary" onClick={() => onInsert(sql)}>
            {t('assistant.insert')}
          </Button>
        )}
      </div>
    </section>
  )
}
