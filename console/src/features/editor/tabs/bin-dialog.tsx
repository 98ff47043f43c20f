import { type DeletedTab, editor } from '@boathouse/contract/editor'
import { LIMITS } from '@boathouse/contract/limits'
import { quota } from '@boathouse/contract/quota'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { Button, DataTable, Dialog, EmptyState, ErrorState, Pager, Spinner } from '../../../ui/index.ts'
import type { TableColumn } from '../../../ui/index.ts'
import styles from './bin-dialog.module.css'
import { useKeptQueries } from './kept-queries.ts'
import type { DialogProps } from './query-dialogs.tsx'

const PAGE = 10

/** Deleted queries, last deleted first; each can be brought back. */
export function BinDialog({ open, opened, onClose }: DialogProps) {
  const [page, setPage] = useState(1)
  const bin = useCall(editor.listDeletedTabs, { offset: (page - 1) * PAGE, limit: PAGE }, { staleTime: 0 })
  const restore = useAction(editor.restoreTab, { refreshes: [editor.listTabTree, editor.listDeletedTabs] })
  const empty = useAction(editor.emptyBin, { refreshes: [editor.listDeletedTabs, quota.own] })
  const used = useKeptQueries({ always: true })
  const [asks, setAsks] = useState(false)
  const bring = (tabId: string) =>
    restore.mutate(
      { tabId },
      {
        onSuccess: (tab) => {
          opened.showTab(tab)
          onClose()
        },
      },
    )
  return (
    <Dialog open={open} onClose={onClose} title={t('editor.bin.title')} width={760}>
      <p className={styles['about']}>
        {t('editor.bin.about', { days: LIMITS.binDays })} {used !== null && t('editor.bin.room', { used })}
      </p>
      {bin.isPending && <Spinner label={t('editor.bin.loading')} />}
      {bin.isError && (
        <ErrorState
          title={t('editor.bin.failed')}
          what={bin.error.message}
          onRetry={() => void bin.refetch()}
        />
      )}
      {bin.data?.total === 0 && (
        <EmptyState title={t('editor.bin.empty')}>
          <p>{t('editor.bin.emptyWhy')}</p>
        </EmptyState>
      )}
      {bin.data && bin.data.total > 0 && (
        <>
          <DataTable
            label={t('editor.bin.title')}
            rows={bin.data.list}
            rowKey={(tab) => tab.tabId}
            columns={columnsOf({ bring, working: restore.isPending ? restore.variables?.tabId : undefined })}
          />
          {bin.data.total > PAGE && (
            <Pager
              label={t('editor.bin.title')}
              page={page}
              pageSize={PAGE}
              total={bin.data.total}
              onPage={setPage}
            />
          )}
          <p className={styles['about']}>
            {asks && t('editor.bin.emptyAsk', { count: bin.data.total })}{' '}
            <Button
              size="sm"
              variant={asks ? 'danger' : 'default'}
              loading={empty.isPending}
              onClick={() => (asks ? empty.mutate({}, { onSuccess: () => setAsks(false) }) : setAsks(true))}
            >
              {t(asks ? 'editor.bin.emptyConfirm' : 'editor.bin.emptyAll')}
            </Button>
          </p>
        </>
      )}
    </Dialog>
  )
}

interface Restoring {
  readonly bring: (tabId: string) => void
  /** The one that is on its way. */
  readonly working: string | undefined
}

const columnsOf = ({ bring, working }: Restoring): TableColumn<DeletedTab>[] => [
  { key: 'name', header: t('editor.bin.name'), cell: (tab) => <span title={tab.sql}>{tab.tabName}</span> },
  {
    key: 'deleted',
    header: t('editor.bin.deleted'),
    cell: ({ deletedAt }) => (
      <span title={formatDateTime(deletedAt)}>{formatRelative(deletedAt, Date.now())}</span>
    ),
  },
  {
    key: 'restore',
    header: t('editor.bin.restore'),
    hideHeader: true,
    align: 'end',
    cell: ({ tabId }) => (
      <Button size="sm" loading={working === tabId} onClick={() => bring(tabId)}>
        {t('editor.bin.restore')}
      </Button>
    ),
  },
]
