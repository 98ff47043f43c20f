import { LIMITS } from '@boathouse/contract/limits'
import { useMemo } from 'react'
import '../../../i18n/preview.ts'
import { t } from '../../../i18n/texts.ts'
import { formatDuration } from '../../../lib/format.ts'
import { Button, IconButton, Tooltip } from '../../../ui/index.ts'
import { Grid } from '../../../ui/grid/grid.tsx'
import type { GridRows } from '../../../ui/grid/grid-rows.ts'
import { IconInfoCircle, IconX } from '../icons.ts'
import { type PreviewRows, usePreview } from './use-preview.ts'
import styles from './preview.module.css'

interface Props {
  readonly tabId: string
  /** Where the cursor is in the text. */
  readonly cursorOf: () => number
  readonly onClose: () => void
}

const gridRowsOf = ({ rows, longCells }: PreviewRows): GridRows => {
  const lengths = new Map(longCells.map(({ row, column, length }) => [`${row} ${column}`, length]))
  return {
    count: rows.length,
    at: (index) => rows[index],
    lengthAt: (index, column) => lengths.get(`${index} ${column}`),
  }
}

/** Beside the text: what the statement at the cursor gives, before it is run. */
export function PreviewPanel({ tabId, cursorOf, onClose }: Props) {
  const preview = usePreview(tabId, cursorOf)
  const { previewed, rows, isStale, isLoading } = preview
  const what =
    previewed.kind === 'rows' && previewed.cte !== null
      ? t('preview.cte', { name: previewed.cte })
      : t('preview.statement')
  const { queryPreviewRows, queryPreviewSeconds } = LIMITS
  const bounds = t('preview.bounds', { rows: queryPreviewRows, seconds: queryPreviewSeconds })
  return (
    <section className={styles['panel']} data-pane aria-label={t('preview.label')} aria-busy={isLoading}>
      <header className={styles['header']}>
        <h2 className={styles['title']}>{t('preview.label')}</h2>
        <span className={styles['what']}>{what}</span>
        {rows && !rows.problem && !isStale && <span className={styles['facts']}>{factsOf(rows)}</span>}
        <Tooltip label={bounds}>
          <span role="img" aria-label={bounds} className={styles['info']}>
            <IconInfoCircle size={15} stroke={1.6} aria-hidden />
          </span>
        </Tooltip>
        <IconButton label={t('preview.close')} size="sm" onClick={onClose}>
          <IconX size={15} stroke={1.6} aria-hidden />
        </IconButton>
      </header>
      <div className={isLoading ? styles['busy'] : styles['idle']} />
      <Body preview={preview} />
    </section>
  )
}

const factsOf = ({ rows, hasMore, durationMs }: PreviewRows): string =>
  [t(hasMore ? 'preview.first' : 'preview.rows', { count: rows.length }), formatDuration(durationMs)].join(
    ' · ',
  )

function Body({ preview }: { preview: ReturnType<typeof usePreview> }) {
  const { previewed, unbound, rows, isStale, isLoading, failure, resume } = preview
  const grid = useMemo(() => (rows && !rows.problem ? gridRowsOf(rows) : null), [rows])
  if (previewed.kind !== 'rows') return <p className={styles['words']}>{t(`preview.${previewed.kind}`)}</p>
  if (unbound !== null) return <p className={styles['words']}>{t('preview.unbound', { name: unbound })}</p>
  if (failure) return <p className={styles['words']}>{failure.message}</p>
  if (!rows) return <p className={styles['words']}>{isLoading ? t('preview.loading') : ''}</p>
  if (rows.problem?.code === 'NoRunningWarehouse')
    return (
      <div className={styles['words']}>
        <p>{t('preview.suspended')}</p>
        <Button size="sm" loading={isLoading} onClick={resume}>
          {t('preview.resume')}
        </Button>
      </div>
    )
  if (rows.problem) return <p className={styles['words']}>{rows.problem.message}</p>
  return (
    <div className={styles['rows']} data-stale={isStale}>
      {grid && (
        <Grid
          label={t('preview.grid')}
          columns={rows.fields}
          rows={grid}
          sample={rows.rows}
          onLook={NOTHING}
          onOpen={NOTHING}
        />
      )}
    </div>
  )
}

/** All rows are here, and a value is looked at in the result. */
const NOTHING = () => undefined
