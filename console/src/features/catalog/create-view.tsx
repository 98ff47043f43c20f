import { LIMITS } from '@boathouse/contract/limits'
import type { Field } from '@boathouse/contract/realtime'
import { schema } from '@boathouse/contract/schema'
import { ObjectPart } from '@boathouse/contract/schema-objects'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { queryKeyOf } from '../../lib/api.ts'
import { ruleOf } from '../../lib/form.ts'
import { useNewQuery } from '../../lib/new-query.ts'
import { useRealtime } from '../../lib/realtime-context.tsx'
import { runText } from '../../lib/run-text.ts'
import { useSession } from '../../lib/session.ts'
import { Button, CodeArea, FormDialog, NameField, TextField, useProblems } from '../../ui/index.ts'
import styles from './catalog.module.css'
import { usePlaces } from './places.ts'
import { ViewColumns } from './view-columns.tsx'
import { type Around, type Failure, failureIn, previewSql, queryProblem, viewSql } from './view-sql.ts'

interface Props {
  readonly catalog: string
  readonly database: string
  readonly onClose: () => void
  readonly onCreated: (name: string) => void
}

/** What is under way with the query: by a statement of the user, as in the editor. */
function useRuns(query: string) {
  const realtime = useRealtime()
  const [working, setWorking] = useState<'preview' | 'create' | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const forget = useRef(() => {})
  useEffect(() => () => forget.current(), [])
  const run = async (what: 'preview' | 'create', around: Around): Promise<readonly Field[] | null> => {
    setFailure(null)
    setWorking(what)
    const { ran, forget: stop } = runText(realtime, around.sql)
    forget.current = stop
    const ended = await ran
    setWorking(null)
    if (ended.isDone) return ended.fields
    setFailure(failureIn(query, around, ended))
    return null
  }
  return { run, working, failure, forgive: () => setFailure(null) }
}

/** By a form, which runs the statement that it makes. */
export function CreateView({ catalog, database, onClose, onCreated }: Props) {
  const { openTab } = usePlaces()
  const queries = useQueryClient()
  const { user } = useSession()
  const [typed, setTyped] = useState({ name: '', comment: '', query: '' })
  const [columnComments, setColumnComments] = useState<Readonly<Record<string, string>>>({})
  const [columns, setColumns] = useState<readonly Field[] | null>(null)
  const { run, working, failure, forgive } = useRuns(typed.query)
  const area = useRef<HTMLTextAreaElement>(null)
  const asTab = useNewQuery()
  const problems = useProblems({
    name: ruleOf(ObjectPart)(typed.name, null),
    query: queryProblem(typed.query),
  })
  const ofQuery = problems.of('query')
  const change = (part: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...part }))
  const said = Object.fromEntries((columns ?? []).map(({ name }) => [name, columnComments[name] ?? '']))
  const whole = viewSql({ ...typed, catalog, database, columnComments: said })

  useEffect(() => {
    if (failure?.at === null || failure === null) return
    area.current?.focus()
    area.current?.setSelectionRange(failure.at, failure.at + 1)
  }, [failure])

  const preview = async () => {
    if (problems.accept(['query'])) setColumns(await run('preview', previewSql(typed.query)))
  }
  const create = async () => {
    if (!problems.accept() || !(await run('create', whole))) return
    for (const call of [schema.views, schema.describe])
      void queries.invalidateQueries({ queryKey: queryKeyOf(call) })
    onCreated(typed.name)
    onClose()
  }
  const openAsSql = () =>
    asTab.mutate({ tabName: t('catalog.createView.tab'), sql: whole.sql }, { onSuccess: openTab })
  const inQuery = failure && failure.at !== null ? failure.message : undefined
  return (
    <FormDialog
      width={720}
      title={t('catalog.createView.title', { database })}
      confirmLabel={t('catalog.createView.action')}
      isWorking={working === 'create'}
      refusal={failure && failure.at === null ? failure.message : undefined}
      onSubmit={create}
      onClose={onClose}
      aside={
        <Button variant="subtle" loading={asTab.isPending} onClick={openAsSql}>
          {t('catalog.createTable.asSql')}
        </Button>
      }
    >
      <NameField
        {...problems.of('name')}
        label={t('catalog.column.name')}
        data-autofocus
        value={typed.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        label={t('catalog.createView.comment')}
        maxLength={LIMITS.commentLength}
        value={typed.comment}
        onChange={(event) => change({ comment: event.target.value })}
      />
      <CodeArea
        ref={area}
        label={t('catalog.createView.query')}
        help={t('catalog.createView.queryHelp')}
        onLeft={ofQuery.onLeft}
        error={ofQuery.error ?? inQuery}
        rows={8}
        value={typed.query}
        onChange={(event) => {
          change({ query: event.target.value })
          setColumns(null)
          forgive()
        }}
      />
      <div>
        <Button size="sm" loading={working === 'preview'} onClick={() => void preview()}>
          {t('catalog.createView.preview')}
        </Button>
      </div>
      {columns && (
        <ViewColumns
          columns={columns}
          comments={columnComments}
          onComment={(name, text) => setColumnComments((before) => ({ ...before, [name]: text }))}
        />
      )}
      <p className={styles['note']}>
        {t('catalog.createView.as', {
          user: user?.user ?? '',
          roles: user?.activeRoles.join(', ') ?? '',
        })}
      </p>
    </FormDialog>
  )
}
