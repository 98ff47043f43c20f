import { type LoadAction, load, type LoadState, type LoadTask } from '@boathouse/contract/load'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { formatCount, formatDateTime, formatRelative } from '../../lib/format.ts'
import { IconDots, IconEye, IconPlayerPause, IconPlayerPlay, IconTrash } from '../../ui/icons.ts'
import {
  ConfirmDialog,
  DataTable,
  ErrorState,
  IconButton,
  Menu,
  Pager,
  Panel,
  Skeleton,
  type TableColumn,
} from '../../ui/index.ts'
import styles from './load.module.css'
import { TaskDrawer } from './task-drawer.tsx'
import { TaskState } from './task-state.tsx'

interface Props {
  readonly catalog: string
  readonly database: string
  readonly statementPath: (queryId: string) => string
}

const PAGE = 20
const LOOK_EVERY_MS = 1_000
const ACTIVE = new Set<LoadState>(['queued', 'running'])
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

const isOver = ({ state }: LoadTask): boolean => !ACTIVE.has(state) && state !== 'paused'

/** One call drops both: a load that is not over is cancelled, one that is over leaves the list. */
const labelOf = (action: LoadAction, task: LoadTask): string =>
  t(`load.tasks.${action === 'drop' ? (isOver(task) ? 'remove' : 'cancel') : action}`)

/** What is loaded into a database, and what can be done about it. */
export function TaskList({ catalog, database, statementPath }: Props) {
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState<string | null>(null)
  const [dropped, setDropped] = useState<LoadTask | null>(null)
  const { data, error, refetch, dataUpdatedAt } = useCall(
    load.list,
    { catalog, databaseName: database, offset: (page - 1) * PAGE, limit: PAGE },
    {
      silent: true,
      placeholderData: (before) => before,
      refetchInterval: ({ state }) =>
        state.data?.list.some((one) => ACTIVE.has(one.state)) ? LOOK_EVERY_MS : false,
    },
  )
  const options = { refreshes: [load.list, load.describe] }
  const pause = useAction(load.pause, options)
  const resume = useAction(load.resume, options)
  const drop = useAction(load.drop, options)
  const act = (task: LoadTask, action: LoadAction) => {
    if (action === 'drop') setDropped(task)
    else (action === 'pause' ? pause : resume).mutate({ taskId: task.taskId })
  }
  return (
    <Panel title={t('load.tasks.title')}>
      <div className={styles['stack']}>
        {error && (
          <ErrorState title={t('load.tasks.failed')} what={error.message} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton height={120} />}
        {data?.list.length === 0 && <p className={styles['note']}>{t('load.tasks.empty')}</p>}
        {data && data.list.length > 0 && (
          <DataTable
            label={t('load.tasks.title')}
            rows={data.list}
            rowKey={({ taskId }) => taskId}
            columns={columnsAt(dataUpdatedAt, { onShow: setShown, onAct: act })}
          />
        )}
        {data && (
          <Pager
            label={t('load.tasks.title')}
            page={page}
            pageSize={PAGE}
            total={data.total}
            onPage={setPage}
          />
        )}
      </div>
      {shown && <TaskDrawer taskId={shown} statementPath={statementPath} onClose={() => setShown(null)} />}
      {dropped && (
        <ConfirmDialog
          open
          danger
          title={t(isOver(dropped) ? 'load.tasks.removeTitle' : 'load.tasks.cancelTitle', {
            name: dropped.fileName,
          })}
          confirmLabel={labelOf('drop', dropped)}
          onClose={() => setDropped(null)}
          onConfirm={async () => {
            await drop.mutateAsync({ taskId: dropped.taskId }).catch(() => undefined)
            setDropped(null)
          }}
        >
          <p>{t(isOver(dropped) ? 'load.tasks.dropOver' : 'load.tasks.dropUnfinished')}</p>
        </ConfirmDialog>
      )}
    </Panel>
  )
}

interface Acting {
  readonly onShow: (taskId: string) => void
  readonly onAct: (task: LoadTask, action: LoadAction) => void
}

const columnsAt = (now: number, { onShow, onAct }: Acting): readonly TableColumn<LoadTask>[] => [
  {
    key: 'file',
    header: t('load.tasks.file'),
    leastPx: 140,
    cell: ({ fileName }) => <span title={fileName}>{fileName}</span>,
  },
  {
    key: 'table',
    header: t('load.tasks.table'),
    leastPx: 120,
    cell: ({ tableName }) => <code title={tableName}>{tableName}</code>,
  },
  { key: 'state', header: t('load.tasks.state'), cell: (task) => <TaskState task={task} /> },
  {
    key: 'rows',
    header: t('load.tasks.rows'),
    align: 'end',
    cell: ({ rowsLoaded, rowsRejected, widened }) => (
      <>
        {rowsLoaded !== null && formatCount(rowsLoaded)}
        {rowsRejected > 0 && (
          <span className={styles['none']}> {t('load.tasks.rejected', { count: rowsRejected })}</span>
        )}
        {widened.length > 0 && (
          <span className={styles['none']}> {t('load.tasks.widened', { count: widened.length })}</span>
        )}
      </>
    ),
  },
  { key: 'by', header: t('load.tasks.by'), cell: ({ user }) => user },
  {
    key: 'when',
    header: t('load.tasks.when'),
    cell: ({ createdAt }) => (
      <time dateTime={createdAt} title={formatDateTime(createdAt)}>
        {formatRelative(createdAt, now)}
      </time>
    ),
  },
  {
    key: 'actions',
    header: t('load.tasks.actions'),
    hideHeader: true,
    align: 'end',
    cell: (task) => <TaskMenu task={task} onShow={onShow} onAct={onAct} />,
  },
]

const ICONS = {
  pause: <IconPlayerPause {...ICON} />,
  resume: <IconPlayerPlay {...ICON} />,
  drop: <IconTrash {...ICON} />,
} as const

function TaskMenu({ task, onShow, onAct }: Acting & { task: LoadTask }) {
  const label = t('load.tasks.actionsOf', { name: task.fileName })
  return (
    <Menu
      label={label}
      width={180}
      entries={[
        { label: t('load.tasks.details'), icon: <IconEye {...ICON} />, onSelect: () => onShow(task.taskId) },
        ...task.actions.map((action) => ({
          label: labelOf(action, task),
          icon: ICONS[action],
          danger: action === 'drop',
          onSelect: () => onAct(task, action),
        })),
      ]}
      trigger={
        <IconButton label={label} size="sm">
          <IconDots size={16} aria-hidden />
        </IconButton>
      }
    />
  )
}
