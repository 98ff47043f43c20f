import '../../../i18n/schedules.ts'
import { schedule as calls, type Schedule } from '@boathouse/contract/schedule'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import {
  buttonClassName,
  ConfirmDialog,
  DataTable,
  EmptyState,
  ErrorState,
  notify,
  Page,
  PageHeader,
  Skeleton,
} from '../../../ui/index.ts'
import { lookAgainMs } from './look-again.ts'
import { RunsDialog } from './runs-dialog.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { type OpenSchedule, scheduleColumns } from './schedule-columns.tsx'
import { useNow } from '../../../lib/use-now.ts'

interface SchedulePaths {
  readonly editor: string
  readonly query: (tab: { readonly tabId: string; readonly tabName: string }) => string
  readonly statement: (queryId: string) => string
}

interface Props {
  readonly paths: SchedulePaths
  readonly onNamed: (name: string) => void
}

/** Everyone's own schedules, and for an account administrator those of all. */
export function SchedulesPage({ paths, onNamed }: Props) {
  useEffect(() => onNamed(t('schedules.title')), [onNamed])
  const { data, isError, error, refetch } = useCall(
    calls.list,
    {},
    {
      silent: true,
      staleTime: 0,
      refetchInterval: ({ state }) => lookAgainMs(state.data?.schedules ?? [], Date.now()),
    },
  )
  return (
    <Page>
      <PageHeader title={t('schedules.title')} facts={[t('schedules.lead')]} />
      {isError && !data && (
        <ErrorState title={t('schedules.failed')} what={error.message} onRetry={() => void refetch()} />
      )}
      {!data && !isError && <Skeleton height={180} />}
      {data?.schedules.length === 0 && <None editor={paths.editor} />}
      {data && data.schedules.length > 0 && <List schedules={data.schedules} paths={paths} />}
    </Page>
  )
}

function None({ editor }: { editor: string }) {
  return (
    <EmptyState
      title={t('schedules.empty')}
      actions={
        <Link to={editor} className={buttonClassName({ variant: 'primary' })}>
          {t('schedules.openEditor')}
        </Link>
      }
    >
      <p>{t('schedules.emptyBody')}</p>
    </EmptyState>
  )
}

function List({ schedules, paths }: { schedules: readonly Schedule[]; paths: SchedulePaths }) {
  const [open, setOpen] = useState<OpenSchedule | null>(null)
  const close = () => setOpen(null)
  const now = useNow()
  return (
    <>
      <DataTable
        label={t('schedules.list')}
        rows={schedules}
        rowKey={({ scheduleId }) => scheduleId}
        columns={scheduleColumns({
          onOpen: setOpen,
          queryPath: paths.query,
          now,
          hasOwners: schedules.some(({ isOwn }) => !isOwn),
        })}
      />
      {open?.is === 'edit' && (
        <ScheduleDialog tabId={open.schedule.tabId} name={open.schedule.queryName} onClose={close} />
      )}
      {open?.is === 'runs' && (
        <RunsDialog schedule={open.schedule} statementPath={paths.statement} onClose={close} />
      )}
      {open?.is === 'remove' && <RemoveSchedule schedule={open.schedule} onClose={close} />}
    </>
  )
}

function RemoveSchedule({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
  const { scheduleId, queryName: name } = schedule
  const remove = useAction(calls.delete, { refreshes: [calls.list, calls.find] })
  const confirm = async () => {
    await remove.mutateAsync({ scheduleId })
    notify({ tone: 'ok', message: t('schedules.removal.done') })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      danger
      title={t('schedules.removal.title', { name })}
      confirmLabel={t('schedules.removal.confirm')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t('schedules.removal.body')}</p>
    </ConfirmDialog>
  )
}
