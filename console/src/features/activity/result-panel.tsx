import { EXPORT_FORMATS, type ExportFormat, query } from '@boathouse/contract/query'
import type { Field } from '@boathouse/contract/realtime'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { pageHosts } from '../../lib/hosts.ts'
import { Button, DataTable, Menu, Panel, Refusal, Skeleton, type TableColumn } from '../../ui/index.ts'
import { IconDownload } from './icons.ts'
import styles from './activity.module.css'

const SHOWN_ROWS = 20

/** The first kept rows, and all of them as a file; for the user who ran it. */
export function ResultPanel({ queryId }: { queryId: string }) {
  const { data, error } = useCall(
    query.resultWindow,
    { queryId, offset: 0, limit: SHOWN_ROWS },
    { silent: true },
  )
  return (
    <Panel title={t('activity.detail.result')} actions={<Download queryId={queryId} />}>
      {!data && !error && <Skeleton height={72} />}
      <Refusal text={error?.message} />
      {data && (
        <>
          <p className={styles['note']}>
            {t('activity.detail.resultNote', { count: data.rows.length, total: data.totalRows })}
          </p>
          <DataTable
            inPanel
            wide
            label={t('activity.detail.result')}
            rows={data.rows.map((cells, index) => ({ cells, index }))}
            rowKey={({ index }) => index}
            columns={data.fields.map(columnOf)}
          />
        </>
      )}
    </Panel>
  )
}

interface Cells {
  readonly cells: readonly (string | null)[]
}

const columnOf = (field: Field, column: number): TableColumn<Cells> => ({
  key: String(column),
  header: field.name,
  align: field.family === 'number' ? 'end' : 'start',
  cell: ({ cells }) => <Cell value={cells[column] ?? null} />,
})

const CELL_LENGTH = 80

const Cell = ({ value }: { value: string | null }) =>
  value === null ? (
    <span className={styles['note']}>NULL</span>
  ) : (
    <code title={value.slice(0, 500)}>{value.slice(0, CELL_LENGTH)}</code>
  )

/** A click of a link, which the browser takes as its own download. */
function follow(url: string, fileName: string): void {
  const link = document.createElement('a')
  link.href = new URL(url, pageHosts.regional()).href
  link.download = fileName
  document.body.append(link)
  link.click()
  link.remove()
}

function Download({ queryId }: { queryId: string }) {
  const make = useAction(query.exportResult)
  const start = (format: ExportFormat) =>
    make.mutate({ queryId, format }, { onSuccess: ({ url, fileName }) => follow(url, fileName) })
  return (
    <Menu
      label={t('activity.detail.downloadMenu')}
      width={160}
      entries={EXPORT_FORMATS.map((format) => ({
        label: t(`activity.detail.formats.${format}`),
        disabled: make.isPending,
        onSelect: () => start(format),
      }))}
      trigger={
        <Button size="sm" loading={make.isPending} leftIcon={<IconDownload size={14} aria-hidden />}>
          {t('activity.detail.download')}
        </Button>
      }
    />
  )
}
