import '../../i18n/activity.ts'
import { query, type RunningStatement } from '@boathouse/contract/query'
import { type ReactNode, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { formatCount, formatSeconds } from '../../lib/format.ts'
import {
  Button,
  ConfirmDialog,
  DataTable,
  Panel,
  Refusal,
  Skeleton,
  type TableColumn,
} from '../../ui/index.ts'
import { lineOf, StatementLink } from './statement-link.tsx'
import { StatementState } from './statement-state.tsx'
import { useLiveActivity, useNow } from './use-live-activity.ts'
import { SentBy } from './client-name.tsx'
import styles from './activity.module.css'

interface Props {
  /** Missing: of the whole account. */
  readonly warehouseId?: string
  readonly actions?: ReactNode
}

/** What runs and waits now, with how far it is; live by the channel. */
export function RunningPanel({ warehouseId, actions }: Props) {
  useLiveActivity(query.running)
  const { data, dataUpdatedAt } = useCall(query.running, warehouseId ? { warehouseId } : {})
  const entries = data?.entries
  const [chosen, setChosen] = useState<RunningStatement | null>(null)
  const now = useNow((entries?.length ?? 0) > 0)
  return (
    <Panel title={t('activity.running')} actions={actions}>
      {!entries && <Skeleton height={36} />}
      {entries?.length === 0 && <p className={styles['note']}>{t('activity.noneRunning')}</p>}
      {entries && entries.length > 0 && (
        <DataTable
          inPanel
          label={t('activity.running')}
          columns={columnsAt(Math.max(0, now - dataUpdatedAt), setChosen)}
          rows={entries}
          rowKey={({ queryId }) => queryId}
        />
      )}
      {chosen && <KillDialog of={chosen} onClose={() => setChosen(null)} />}
    </Panel>
  )
}

/** `sinceMs`: since it was loaded. */
const columnsAt = (
  sinceMs: number,
  onKill: (of: RunningStatement) => void,
): readonly TableColumn<RunningStatement>[] => [
  {
    key: 'statement',
    header: t('activity.column.statement'),
    leastPx: 220,
    cell: (of) => <StatementLink of={of} />,
  },
  { key: 'state', header: t('activity.column.state'), cell: (of) => <StatementState of={of} /> },
  { key: 'user', header: t('activity.column.user'), cell: (one) => <SentBy of={one} /> },
  { key: 'warehouse', header: t('activity.column.warehouse'), cell: ({ warehouse }) => warehouse },
  {
    key: 'elapsed',
    header: t('activity.column.elapsed'),
    align: 'end',
    cell: ({ durationMs }) => (durationMs === null ? '–' : formatSeconds((durationMs + sinceMs) / 1000)),
  },
  {
    key: 'rows',
    header: t('activity.column.rowsRead'),
    align: 'end',
    cell: ({ progressRows }) => (progressRows === null ? '–' : formatCount(progressRows)),
  },
  {
    key: 'actions',
    header: t('activity.column.actions'),
    hideHeader: true,
    align: 'end',
    cell: (of) => (
      <Button
        size="sm"
        aria-label={t('activity.stopOf', { statement: lineOf(of.sql) })}
        onClick={() => onKill(of)}
      >
        {t('activity.stop')}
      </Button>
    ),
  },
]

interface KillProps {
  readonly of: Pick<RunningStatement, 'queryId' | 'warehouse' | 'user'>
  readonly onClose: () => void
}

export function KillDialog({ of, onClose }: KillProps) {
  const kill = useAction(query.kill, {
    silent: true,
    refreshes: [query.running, query.history, query.detail],
  })
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      onConfirm={async () => {
        await kill.mutateAsync({ queryId: of.queryId }).then(onClose, () => undefined)
      }}
      title={t('activity.stopTitle')}
      confirmLabel={t('activity.stopConfirm')}
    >
      <p>{t('activity.stopBody', { warehouse: of.warehouse, user: of.user })}</p>
      <Refusal text={kill.error?.message} />
    </ConfirmDialog>
  )
}
