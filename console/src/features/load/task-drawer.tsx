import {
  load,
  type LoadTask,
  type NulledColumn,
  type Rejection,
  type WidenedColumn,
} from '@boathouse/contract/load'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatBytes, formatDateTime } from '../../lib/format.ts'
import { DataTable, Drawer, Pager, Properties, Refusal, Skeleton, type TableColumn } from '../../ui/index.ts'
import { Cell } from './columns-panel.tsx'
import styles from './load.module.css'
import { TaskState } from './task-state.tsx'

interface Props {
  readonly taskId: string
  readonly statementPath: (queryId: string) => string
  readonly onClose: () => void
}

const PAGE = 20
const LOOK_EVERY_MS = 1_000

/** One load: how it ended, and the rows that it left out with their reasons. */
export function TaskDrawer({ taskId, statementPath, onClose }: Props) {
  const { data } = useCall(
    load.describe,
    { taskId },
    {
      silent: true,
      refetchInterval: ({ state }) =>
        state.data?.state === 'queued' || state.data?.state === 'running' ? LOOK_EVERY_MS : false,
    },
  )
  return (
    <Drawer title={t('load.task.title', { name: data?.fileName ?? '' })} onClose={onClose}>
      {!data && <Skeleton height={200} />}
      {data && (
        <div className={styles['stack']}>
          <Refusal text={data.error === '' ? undefined : data.error} />
          <Properties items={factsOf(data, statementPath)} />
          {data.widened.length > 0 && <Widened columns={data.widened} />}
          {data.nulled.length > 0 && <Nulled columns={data.nulled} />}
          {data.rowsRejected > 0 && <Rejections taskId={taskId} />}
        </div>
      )}
    </Drawer>
  )
}

function factsOf(task: LoadTask, statementPath: Props['statementPath']) {
  const { queryId, rowsLoaded, endedAt } = task
  const none = t('load.task.none')
  return [
    [t('load.tasks.state'), <TaskState key="state" task={task} />],
    [t('load.tasks.table'), <code key="table">{task.tableName}</code>],
    [t('load.target.writes'), task.makesTable ? none : t(`load.target.writesAs.${task.writes}`)],
    [t('load.task.size'), formatBytes(task.sizeBytes)],
    [t('load.task.warehouse'), task.warehouse],
    [t('load.task.loaded'), rowsLoaded === null ? none : rowsLoaded.toLocaleString('en')],
    [t('load.task.rejected'), task.rowsRejected.toLocaleString('en')],
    [t('load.task.created'), formatDateTime(task.createdAt)],
    [t('load.task.ended'), endedAt ? formatDateTime(endedAt) : none],
    [
      t('load.task.statement'),
      queryId ? (
        <a key="statement" href={statementPath(queryId)}>
          {t('load.task.inActivity')}
        </a>
      ) : (
        none
      ),
    ],
  ] as const
}

const WIDENED = (): readonly TableColumn<WidenedColumn>[] => [
  { key: 'column', header: t('load.task.column'), cell: ({ column }) => <code>{column}</code> },
  { key: 'from', header: t('load.task.from'), cell: ({ from }) => <code>{from}</code> },
  { key: 'to', header: t('load.task.to'), cell: ({ to }) => <code>{to}</code> },
  { key: 'line', header: t('load.task.line'), align: 'end', cell: ({ line }) => line ?? t('load.task.none') },
  { key: 'reason', header: t('load.task.reason'), cell: ({ reason }) => reason },
]

/** Columns that got another type than was detected, each with the first value that did not fit. */
function Widened({ columns }: { columns: readonly WidenedColumn[] }) {
  const label = t('load.task.widened')
  return (
    <section className={styles['stack']} aria-label={label}>
      <h3>{label}</h3>
      <DataTable wide label={label} rows={columns} rowKey={({ column }) => column} columns={WIDENED()} />
    </section>
  )
}

const NULLED = (): readonly TableColumn<NulledColumn>[] => [
  { key: 'column', header: t('load.task.column'), cell: ({ column }) => <code>{column}</code> },
  {
    key: 'values',
    header: t('load.task.values'),
    align: 'end',
    cell: ({ values }) => values.toLocaleString('en'),
  },
  { key: 'line', header: t('load.task.line'), align: 'end', cell: ({ line }) => line ?? t('load.task.none') },
  { key: 'reason', header: t('load.task.reason'), cell: ({ reason }) => reason },
]

/** Columns with NULL in place of values that did not fit, each with the first of them. */
function Nulled({ columns }: { columns: readonly NulledColumn[] }) {
  const label = t('load.task.nulled')
  return (
    <section className={styles['stack']} aria-label={label}>
      <h3>{label}</h3>
      <DataTable wide label={label} rows={columns} rowKey={({ column }) => column} columns={NULLED()} />
    </section>
  )
}

const COLUMNS = (): readonly TableColumn<Rejection>[] => [
  { key: 'line', header: t('load.task.line'), align: 'end', cell: ({ line }) => line ?? t('load.task.none') },
  { key: 'column', header: t('load.task.column'), cell: ({ column }) => column ?? t('load.task.none') },
  { key: 'reason', header: t('load.task.reason'), cell: ({ reason }) => reason },
  {
    key: 'text',
    header: t('load.task.text'),
    cell: ({ text }) => (text === null ? t('load.task.none') : <Cell text={text} />),
  },
]

function Rejections({ taskId }: { taskId: string }) {
  const [page, setPage] = useState(1)
  const { data } = useCall(
    load.rejections,
    { taskId, offset: (page - 1) * PAGE, limit: PAGE },
    { placeholderData: (before) => before },
  )
  const label = t('load.task.rejections')
  if (!data) return <Skeleton height={120} />
  const from = (page - 1) * PAGE
  const rows = data.list.map((rejection, at) => ({ ...rejection, at: from + at }))
  return (
    <section className={styles['stack']} aria-label={label}>
      <h3>{label}</h3>
      <DataTable wide label={label} rows={rows} rowKey={({ at }) => at} columns={COLUMNS()} />
      <Pager label={label} page={page} pageSize={PAGE} total={data.total} onPage={setPage} />
    </section>
  )
}
