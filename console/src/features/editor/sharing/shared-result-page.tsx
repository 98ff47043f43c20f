import { parametersOfValues } from '@boathouse/contract/bound-parameters'
import { BoundValuesText } from '../../../statement/bound-values.tsx'
import '../../../i18n/editor.ts'
import '../../../i18n/result-view.ts'
import '../../../i18n/sharing.ts'
import type { Output } from '@boathouse/contract/call'
import type { EditorTab } from '@boathouse/contract/editor'
import { result } from '@boathouse/contract/result'
import { useEffect, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { type CallError, useCall } from '../../../lib/api.ts'
import { useNewQuery } from '../../../lib/new-query.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { SqlColored } from '../../../statement/sql-colored.tsx'
import { sqlParts } from '../../../statement/sql-parts.ts'
import { Button, EmptyState, ErrorState, NoPermission, PageHeader, Spinner } from '../../../ui/index.ts'
import type { CellRange } from '../../../ui/grid/grid-selection.ts'
import { CopyMenu } from '../rows/copy-menu.tsx'
import { DownloadFailure, DownloadMenu } from '../rows/download-menu.tsx'
import { LooksMenu } from '../rows/looks-menu.tsx'
import { RowsFailure, RowsResult } from '../rows/result-rows.tsx'
import { useDownload } from '../rows/use-download.ts'
import { useLooks } from '../rows/use-looks.ts'
import { useResultRows } from '../rows/use-result-rows.ts'
import { useResultView } from '../rows/view/use-result-view.ts'
import { ViewStrip } from '../rows/view/view-strip.tsx'
import styles from './shared-result.module.css'

type Facts = Output<typeof result.facts>

interface Props {
  readonly queryId: string
  /** Called with its name, for everything that names the page. */
  readonly onNamed: (name: string) => void
  readonly onOpenTab: (tab: EditorTab) => void
}

/** A kept result, as a user with its link and the privileges sees it. Nothing is run for it. */
export function SharedResultPage({ queryId, onNamed, onOpenTab }: Props) {
  // Checked again whenever the page is opened.
  const facts = useCall(result.facts, { queryId }, { silent: true, staleTime: 0 })
  useEffect(() => onNamed(t('sharing.page.document')), [onNamed])
  if (facts.error) return <NoResult error={facts.error} onRetry={() => void facts.refetch()} />
  if (!facts.data)
    return (
      <div className={styles['page']}>
        <Spinner label={t('sharing.page.loading')} />
      </div>
    )
  return <Shown queryId={queryId} facts={facts.data} onOpenTab={onOpenTab} />
}

function NoResult({ error, onRetry }: { error: CallError; onRetry: () => void }) {
  if (error.codeName === 'NoPermission')
    return (
      <NoPermission
        page
        title={t('sharing.page.refused')}
        text={error.message}
        missing={t('sharing.page.refusedTodo')}
      />
    )
  if (error.codeName === 'ResultExpired')
    return (
      <EmptyState page title={t('sharing.page.gone')}>
        {t('sharing.page.goneBody')}
      </EmptyState>
    )
  if (error.codeName === 'NotFound' || error.codeName === 'BadInput')
    return (
      <EmptyState page title={t('sharing.page.missing')}>
        {t('sharing.page.missingBody')}
      </EmptyState>
    )
  return <ErrorState page title={t('sharing.page.failed')} what={error.message} onRetry={onRetry} />
}

const NO_FIELDS: [] = []

interface ShownProps extends Pick<Props, 'queryId' | 'onOpenTab'> {
  readonly facts: Facts
}

function Shown({ queryId, facts, onOpenTab }: ShownProps) {
  const rows = useResultRows({
    queryId,
    fields: NO_FIELDS,
    rows: NO_FIELDS,
    longCells: NO_FIELDS,
    truncated: false,
    isKept: true,
  })
  const view = useResultView({ key: queryId, queryId, isKept: true }, rows)
  const looks = useLooks()
  const download = useDownload()
  const [selected, setSelected] = useState<{ range: CellRange } | null>(null)
  return (
    <div className={styles['page']}>
      <PageHeader
        title={facts.isOwn ? t('sharing.page.own') : t('sharing.page.title', { user: facts.user })}
        facts={[
          t('sharing.page.ran', { time: formatDateTime(facts.endedAt) }),
          t('sharing.page.until', { time: formatDateTime(facts.expiresAt) }),
          rows.fields &&
            t('editor.result.rows', { count: rows.count, shown: rows.count.toLocaleString('en-US') }),
        ]}
        actions={
          <>
            <CopyMenu view={view} selected={selected?.range ?? null} />
            <DownloadMenu
              queryId={queryId}
              download={download}
              kept={rows.count}
              isPart={rows.total?.isComplete === false}
              mayRunAgain={facts.isOwn}
            />
            <LooksMenu looks={looks} />
            <OpenAsQuery queryId={queryId} facts={facts} onOpenTab={onOpenTab} />
          </>
        }
      />
      {/* It scrolls, so the keyboard must be able to reach it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={styles['sql']} tabIndex={0} role="region" aria-label={t('sharing.page.statement')}>
        <SqlColored parts={sqlParts(facts.sql)} />
      </pre>
      {facts.values && <BoundValuesText values={facts.values} />}
      <section className={styles['result']} aria-label={t('editor.result.label')}>
        <DownloadFailure download={download} />
        {rows.fields !== null && <RowsFailure rows={rows} />}
        {view.elsewhere && <RowsFailure rows={view.elsewhere} />}
        {rows.fields && (
          <ViewStrip
            view={view}
            rows={rows.count}
            isPart={rows.total?.isComplete === false}
            fields={rows.fields}
          />
        )}
        <div className={styles['rows']}>
          <RowsResult queryId={queryId} isKept rows={rows} view={view} looks={looks} onSelect={setSelected} />
        </div>
      </section>
    </div>
  )
}

/** The statement as a query of one's own, to be run and changed. */
function OpenAsQuery({ queryId, facts, onOpenTab }: ShownProps) {
  const create = useNewQuery()
  const tabName = t('sharing.page.tabName', { id: queryId.slice(-8) })
  const { sql, values, catalog, database } = facts
  const parameters = values ? parametersOfValues(values) : []
  return (
    <Button
      variant="primary"
      loading={create.isPending}
      onClick={() => create.mutate({ tabName, sql, catalog, database, parameters }, { onSuccess: onOpenTab })}
    >
      {t('sharing.page.open')}
    </Button>
  )
}
