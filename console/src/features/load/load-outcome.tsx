import { load, type LoadTask } from '@boathouse/contract/load'
import { quoteIdentifier } from '@boathouse/sql'
import type { EditorTab } from '@boathouse/contract/editor'
import { useEffect, useEffectEvent } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useNewQuery } from '../../lib/new-query.ts'
import { Button, Panel, Refusal } from '../../ui/index.ts'
import styles from './load.module.css'
import { TaskState } from './task-state.tsx'

/** Where the page of a table is, and what opens a query. */
export interface LoadLinks {
  readonly tablePath: (table: string) => string
  readonly onOpenTab: (tab: EditorTab) => void
}

interface Props {
  readonly taskId: string
  readonly links: LoadLinks
  /** It has been loaded, can be loaded again, or is resumed from the list below. */
  readonly onOver: (end: LoadEnd) => void
  /** Null: other files are still to be loaded. */
  readonly onDone: (() => void) | null
}

export type LoadEnd = 'none' | 'loaded' | 'not loaded'

const LOOK_EVERY_MS = 1_000
const ACTIVE = new Set<LoadTask['state']>(['queued', 'running'])
const NOT_LOADED = new Set<LoadTask['state']>(['failed', 'cancelled'])

/** What became of the file that was chosen: how far it is, why it failed, or where its rows are. */
export function LoadOutcome({ taskId, links, onOver, onDone }: Props) {
  const { data } = useCall(
    load.describe,
    { taskId },
    {
      silent: true,
      refetchInterval: ({ state }) => (state.data && ACTIVE.has(state.data.state) ? LOOK_EVERY_MS : false),
    },
  )
  const isAgain = data !== undefined && NOT_LOADED.has(data.state)
  const end: LoadEnd = isAgain ? 'not loaded' : data?.state === 'finished' ? 'loaded' : 'none'
  const report = useEffectEvent(onOver)
  useEffect(() => report(end), [end])
  if (!data) return null
  return (
    <Panel title={t('load.outcome.title')}>
      <div className={styles['stack']}>
        <TaskState task={data} />
        {isAgain && (
          <>
            <Refusal text={data.error === '' ? undefined : data.error} />
            <p className={styles['note']}>{t('load.outcome.again')}</p>
          </>
        )}
        {data.state === 'finished' && <Loaded task={data} links={links} onDone={onDone} />}
      </div>
    </Panel>
  )
}

function Loaded({ task, links, onDone }: { task: LoadTask } & Pick<Props, 'links' | 'onDone'>) {
  const { tableName, rowsLoaded, rowsRejected, widened, nulled, error } = task
  const create = useNewQuery()
  const path = [task.catalog, task.databaseName, tableName].map(quoteIdentifier).join('.')
  const query = () =>
    create.mutate(
      { tabName: tableName.slice(0, 32).trim(), sql: `SELECT * FROM ${path} LIMIT 100;` },
      { onSuccess: links.onOpenTab },
    )
  return (
    <>
      <p>
        {t('load.outcome.loaded', {
          count: rowsLoaded ?? 0,
          rows: countOf(rowsLoaded ?? 0),
          table: tableName,
        })}
      </p>
      {(rowsRejected > 0 || nulled.length > 0 || widened.length > 0) && (
        <ul className={styles['outcome']}>
          {rowsRejected > 0 && <li>{t('load.outcome.rejected', { count: rowsRejected })}</li>}
          {nulled.map(({ column, values }) => (
            <li key={column}>
              {t('load.outcome.nulled', { count: values, values: countOf(values), column })}
            </li>
          ))}
          {widened.map(({ column, to }) => (
            <li key={column}>{t('load.outcome.widened', { column, type: to })}</li>
          ))}
        </ul>
      )}
      {error !== '' && <p className={styles['note']}>{error}</p>}
      <div className={styles['actions']}>
        <Button variant="primary" loading={create.isPending} onClick={query}>
          {t('load.outcome.query')}
        </Button>
        <a href={links.tablePath(tableName)}>{t('load.outcome.open', { table: tableName })}</a>
        {onDone && <Button onClick={onDone}>{t('load.outcome.another')}</Button>}
      </div>
    </>
  )
}

const countOf = (count: number): string => count.toLocaleString('en')
