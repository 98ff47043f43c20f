import {
  type Pipe,
  pipe,
  PIPE_FILE_STATES,
  type PipeFile,
  type PipeFileAction,
  type PipeFileState,
} from '@boathouse/contract/pipe'
import { type ReactNode, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { formatBytes, formatCount, formatDateTime, formatRelative } from '../../../lib/format.ts'
import { IconCopy, IconDots, IconEye, IconRefresh, IconX } from '../../../ui/icons.ts'
import {
  DataTable,
  ErrorState,
  IconButton,
  Menu,
  type MenuEntry,
  Pager,
  Panel,
  Select,
  Skeleton,
  type TableColumn,
  useCopy,
} from '../../../ui/index.ts'
import styles from '../load.module.css'
import { FileDrawer } from './file-drawer.tsx'
import { FileStateDot } from './pipe-state.tsx'
import { SHOWN_OF_PIPES } from './use-live-pipes.ts'

interface Props {
  readonly of: Pipe
  readonly statementPath: (queryId: string) => string
}

const PAGE = 20
const ALL = 'all'
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** All files that a pipe has seen, and what can be done with each. */
export function PipeFiles({ of, statementPath }: Props) {
  const [page, setPage] = useState(1)
  const [state, setState] = useState<PipeFileState | null>(null)
  const { data, error, refetch, dataUpdatedAt } = useCall(
    pipe.listPipeFiles,
    { pipeId: of.pipeId, offset: (page - 1) * PAGE, limit: PAGE, ...(state && { state }) },
    { silent: true, placeholderData: (before) => before },
  )
  const choose = (value: string) => {
    setState(PIPE_FILE_STATES.find((one) => one === value) ?? null)
    setPage(1)
  }
  const label = t('pipe.file.title')
  return (
    <Panel
      title={label}
      actions={
        <Select
          label={t('pipe.file.filter')}
          hideLabel
          width={150}
          value={state ?? ALL}
          options={[
            { value: ALL, label: t('pipe.file.all') },
            ...PIPE_FILE_STATES.map((one) => ({
              value: one,
              label: t(`pipe.file.states.${one}`),
              hint: formatCount(of.files[one]),
            })),
          ]}
          onChange={choose}
        />
      }
    >
      <div className={styles['stack']}>
        {error && (
          <ErrorState title={t('pipe.file.failed')} what={error.message} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton height={160} />}
        {data?.list.length === 0 && (
          <p className={styles['note']}>
            {state ? t('pipe.file.noneOfState') : t('pipe.file.none', { path: of.path })}
          </p>
        )}
        {data && data.list.length > 0 && (
          <DataTable
            wide
            label={label}
            rows={data.list}
            rowKey={({ fileId }) => fileId}
            columns={columnsOf(of, dataUpdatedAt, statementPath)}
          />
        )}
        {data && <Pager label={label} page={page} pageSize={PAGE} total={data.total} onPage={setPage} />}
      </div>
    </Panel>
  )
}

/** Behind what the pipe looks at: all of them have that in common. */
function nameOf({ path }: PipeFile, of: Pipe): string {
  const fixed = of.path.slice(0, of.path.search(/[^/]*[*?]|$/))
  return path.startsWith(fixed) && fixed.endsWith('/') ? path.slice(fixed.length) : path
}

const columnsOf = (
  of: Pipe,
  now: number,
  statementPath: Props['statementPath'],
): readonly TableColumn<PipeFile>[] => [
  {
    key: 'path',
    header: t('pipe.file.path'),
    leastPx: 160,
    cell: (file) => <span title={file.path}>{nameOf(file, of)}</span>,
  },
  { key: 'state', header: t('pipe.file.state'), cell: ({ state }) => <FileStateDot state={state} /> },
  {
    key: 'size',
    header: t('pipe.file.size'),
    align: 'end',
    cell: ({ sizeBytes }) => formatBytes(sizeBytes),
  },
  {
    key: 'rows',
    header: t('pipe.file.rows'),
    align: 'end',
    cell: ({ rowsLoaded, rowsRejected }) => (
      <>
        {rowsLoaded === null ? t('pipe.none') : formatCount(rowsLoaded)}
        {rowsRejected > 0 && (
          <span className={styles['none']}> {t('pipe.file.rejected', { count: rowsRejected })}</span>
        )}
      </>
    ),
  },
  {
    key: 'when',
    header: t('pipe.file.when'),
    cell: ({ seenAt }) => (
      <time dateTime={seenAt} title={formatDateTime(seenAt)}>
        {formatRelative(seenAt, now)}
      </time>
    ),
  },
  {
    key: 'why',
    header: t('pipe.file.why'),
    leastPx: 200,
    cell: ({ error }) => (error === '' ? t('pipe.none') : <span title={error}>{error}</span>),
  },
  {
    key: 'actions',
    header: t('pipe.file.actions'),
    hideHeader: true,
    align: 'end',
    cell: (file) => <FileMenu file={file} of={of} statementPath={statementPath} />,
  },
]

const ICONS: Readonly<Record<PipeFileAction, ReactNode>> = {
  retry: <IconRefresh {...ICON} />,
  skip: <IconX {...ICON} />,
}

function FileMenu({ file, of, statementPath }: Props & { readonly file: PipeFile }) {
  const copy = useCopy()
  const [isOpen, setOpen] = useState(false)
  const retry = useAction(pipe.retryPipeFile, { refreshes: SHOWN_OF_PIPES })
  const skip = useAction(pipe.skipPipeFile, { refreshes: SHOWN_OF_PIPES })
  const { pipeId } = of
  const { fileId } = file
  const name = nameOf(file, of)
  const label = t('pipe.file.actionsOf', { name })
  const entries: MenuEntry[] = [
    { label: t('pipe.details'), icon: <IconEye {...ICON} />, onSelect: () => setOpen(true) },
    ...file.actions.map((action) => ({
      label: t(`pipe.file.${action}`),
      icon: ICONS[action],
      onSelect: () => (action === 'retry' ? retry : skip).mutate({ pipeId, fileId }),
    })),
    { label: t('pipe.file.copy'), icon: <IconCopy {...ICON} />, onSelect: () => copy(file.path) },
  ]
  return (
    <>
      <Menu
        label={label}
        width={180}
        entries={entries}
        trigger={
          <IconButton label={label} size="sm">
            <IconDots size={16} aria-hidden />
          </IconButton>
        }
      />
      {isOpen && (
        <FileDrawer file={file} name={name} statementPath={statementPath} onClose={() => setOpen(false)} />
      )}
    </>
  )
}
