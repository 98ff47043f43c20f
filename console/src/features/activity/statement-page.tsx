import { parametersOfValues } from '@boathouse/contract/bound-parameters'
import '../../i18n/activity.ts'
import '../../i18n/diagnose.ts'
import { type EditorTab } from '@boathouse/contract/editor'
import { diagnose } from '@boathouse/contract/diagnose'
import { type HistoryEntry, query } from '@boathouse/contract/query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useNewQuery } from '../../lib/new-query.ts'
import { formatBytes, formatDateTime, formatRelative } from '../../lib/format.ts'
import { IconTerminal2 } from '../../ui/icons.ts'
import { askAgainMs } from '../../statement/cost-text.ts'
import { DiagnosticsDialog } from '../../statement/diagnostics-dialog.tsx'
import { LazyPlan } from '../../statement/lazy-plan.tsx'
import { Button, DetailPage, EmptyState, Page, PageHeader, Panel, Skeleton } from '../../ui/index.ts'
import { usePlaces } from './places.ts'
import { ProfilePanel } from './profile-panel.tsx'
import { ResultPanel } from './result-panel.tsx'
import { BoundValuesText } from '../../statement/bound-values.tsx'
import { KillDialog } from './running-panel.tsx'
import { RunsPanel } from './runs-panel.tsx'
import { SqlText } from './sql-text.tsx'
import { StatementFacts } from './statement-facts.tsx'
import { StatementState } from './statement-state.tsx'
import { TimeBar } from './time-bar.tsx'
import { useLiveActivity, useNow } from './use-live-activity.ts'
import styles from './activity.module.css'

interface Props {
  readonly queryId: string
  /** Called with its name, for everything that names the page. */
  readonly onNamed: (name: string) => void
  readonly onOpenTab: (tab: EditorTab) => void
}

/** The end of an id distinguishes it from others of the same hour. */
const shortOf = (queryId: string): string => queryId.slice(-8)

export function StatementPage({ queryId, onNamed, onOpenTab }: Props) {
  const { data, error } = useCall(
    query.detail,
    { queryId },
    {
      silent: true,
      staleTime: 0,
      throwOnError: isUnforeseen,
      refetchInterval: ({ state }) => (state.data ? askAgainMs([state.data.entry]) : false),
    },
  )
  const isRunning = data?.entry.endedAt === null
  useLiveActivity(...(isRunning ? [query.detail] : []))
  const now = useNow(isRunning)
  useEffect(() => onNamed(shortOf(queryId)), [queryId, onNamed])
  if (error) return <Missing />
  if (!data)
    return (
      <Page>
        <Skeleton width={240} height={28} />
        <Skeleton height={32} />
        <Skeleton height={180} />
      </Page>
    )
  const { entry } = data
  const said = entry.error ? { message: entry.error, offset: data.errorOffset } : null
  return (
    <DetailPage sideLabel={t('activity.detail.side')} side={<StatementFacts of={data} />}>
      <Header entry={entry} now={now} onOpenTab={onOpenTab} />
      <TimeBar of={entry} now={now} />
      <SqlText sql={entry.sql} error={said} />
      {entry.values && <BoundValuesText values={entry.values} />}
      {entry.shortenedFromBytes !== null && (
        <p className={styles['note']}>
          {t('activity.detail.shortened', { size: formatBytes(entry.shortenedFromBytes) })}
        </p>
      )}
      {entry.effect && <p className={styles['note']}>{t(`activity.detail.effect.${entry.effect}`)}</p>}
      {data.plan !== null && (
        <Panel title={t('activity.detail.plan')}>
          <LazyPlan root={data.profile} advice={data.advice} text={data.plan} />
        </Panel>
      )}
      {!isRunning && data.plan === null && <ProfilePanel {...data} />}
      {data.kept && <ResultPanel queryId={queryId} />}
      <RunsPanel queryId={queryId} runs={data.runs} now={now} />
    </DetailPage>
  )
}

const isUnforeseen = (error: { readonly codeName: string }): boolean =>
  error.codeName !== 'NotFound' && error.codeName !== 'BadInput'

function Missing() {
  const { list } = usePlaces()
  return (
    <EmptyState
      page
      title={t('activity.detail.missing')}
      actions={<Link to={list({})}>{t('activity.detail.back')}</Link>}
    >
      <p>{t('activity.detail.missingBody')}</p>
    </EmptyState>
  )
}

interface HeaderProps extends Pick<Props, 'onOpenTab'> {
  readonly entry: HistoryEntry
  readonly now: number
}

function Header({ entry, now, onOpenTab }: HeaderProps) {
  const create = useNewQuery()
  const [isKilling, setKilling] = useState(false)
  const [isDiagnosing, setDiagnosing] = useState(false)
  const id = shortOf(entry.queryId)
  return (
    <>
      <PageHeader
        title={t('activity.detail.title', { id })}
        state={<StatementState of={entry} />}
        facts={[
          entry.user,
          entry.warehouse,
          <time key="at" dateTime={entry.acceptedAt} title={formatDateTime(entry.acceptedAt)}>
            {formatRelative(entry.acceptedAt, now)}
          </time>,
        ]}
        actions={
          <>
            {entry.endedAt === null && <Button onClick={() => setKilling(true)}>{t('activity.stop')}</Button>}
            <Button onClick={() => setDiagnosing(true)}>{t('diagnose.action')}</Button>
            <Button
              variant="primary"
              leftIcon={<IconTerminal2 size={16} aria-hidden />}
              loading={create.isPending}
              onClick={() =>
                create.mutate(
                  {
                    tabName: t('activity.detail.tabName', { id }),
                    sql: entry.sql,
                    parameters: entry.values ? parametersOfValues(entry.values) : [],
                    catalog: entry.catalog,
                    database: entry.database,
                  },
                  { onSuccess: onOpenTab },
                )
              }
            >
              {t('activity.detail.openInEditor')}
            </Button>
          </>
        }
      />
      {isDiagnosing && <Diagnostics queryId={entry.queryId} onClose={() => setDiagnosing(false)} />}
      {isKilling && <KillDialog of={entry} onClose={() => setKilling(false)} />}
    </>
  )
}

function Diagnostics({ queryId, onClose }: { queryId: string; onClose: () => void }) {
  const { data, error } = useCall(diagnose.statement, { queryId }, { silent: true, staleTime: 0 })
  const name = t('activity.detail.title', { id: shortOf(queryId) })
  return <DiagnosticsDialog name={name} found={data} refusal={error?.message ?? null} onClose={onClose} />
}
