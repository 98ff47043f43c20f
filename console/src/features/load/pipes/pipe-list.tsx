import '../../../i18n/pipe.ts'
import { type Pipe, pipe } from '@boathouse/contract/pipe'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { formatSeconds } from '../../../lib/format.ts'
import { IconPlus } from '../../../ui/icons.ts'
import { Button, DataTable, ErrorState, Pager, Panel, Skeleton, type TableColumn } from '../../../ui/index.ts'
import styles from '../load.module.css'
import { CreatePipe } from './create-pipe.tsx'
import { PipeStateDot } from './pipe-state.tsx'
import { useLivePipes } from './use-live-pipes.ts'

interface Props {
  readonly catalog: string
  readonly database: string
  readonly pipePath: (name: string) => string
}

const PAGE = 20

/** The pipes of a database, and where one is made. */
export function PipeList({ catalog, database, pipePath }: Props) {
  useLivePipes()
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const { data, error, refetch } = useCall(
    pipe.listPipes,
    { catalog, databaseName: database, offset: (page - 1) * PAGE, limit: PAGE },
    { silent: true, placeholderData: (before) => before },
  )
  return (
    <Panel
      title={t('pipe.title')}
      actions={
        <Button size="sm" leftIcon={<IconPlus size={15} aria-hidden />} onClick={() => setCreating(true)}>
          {t('pipe.create')}
        </Button>
      }
    >
      <div className={styles['stack']}>
        {error && <ErrorState title={t('pipe.failed')} what={error.message} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={80} />}
        {data?.list.length === 0 && (
          <p className={styles['note']}>
            {t('pipe.empty')} {t('pipe.note')}
          </p>
        )}
        {data && data.list.length > 0 && (
          <DataTable
            label={t('pipe.title')}
            rows={data.list}
            rowKey={({ pipeId }) => pipeId}
            columns={columnsOf(pipePath)}
          />
        )}
        {data && (
          <Pager label={t('pipe.title')} page={page} pageSize={PAGE} total={data.total} onPage={setPage} />
        )}
      </div>
      {isCreating && <CreatePipe catalog={catalog} database={database} onClose={() => setCreating(false)} />}
    </Panel>
  )
}

const columnsOf = (pipePath: Props['pipePath']): readonly TableColumn<Pipe>[] => [
  {
    key: 'name',
    header: t('pipe.name'),
    leastPx: 120,
    cell: ({ name }) => <a href={pipePath(name)}>{name}</a>,
  },
  { key: 'table', header: t('pipe.table'), leastPx: 100, cell: ({ tableName }) => <code>{tableName}</code> },
  {
    key: 'source',
    header: t('pipe.source'),
    leastPx: 140,
    cell: ({ path }) => <span title={path}>{path}</span>,
  },
  { key: 'state', header: t('pipe.state'), cell: ({ state }) => <PipeStateDot state={state} /> },
  {
    key: 'files',
    header: t('pipe.files'),
    cell: ({ files: { loaded, waiting, loading, failed } }) =>
      t('pipe.filesOf', { loaded, waiting: waiting + loading, failed }),
  },
  {
    key: 'lag',
    header: t('pipe.lag'),
    align: 'end',
    cell: ({ lagSeconds }) => (lagSeconds === null ? t('pipe.none') : formatSeconds(lagSeconds)),
  },
]
