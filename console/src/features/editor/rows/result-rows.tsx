import { useCallback, useEffect, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { Button, EmptyState, ErrorState, Spinner } from '../../../ui/index.ts'
import { CellViewer } from './cell-viewer.tsx'
import type { OpenedCell } from './cell-viewer.tsx'
import { useEditorRuntime } from '../editor-runtime.ts'
import { summarise } from './selection-summary.ts'
import { useCopyRange } from './use-copy-range.ts'
import type { Cell, CellRange } from '../../../ui/grid/grid-selection.ts'
import { IconAlertTriangle } from '../icons.ts'
import { Grid } from '../../../ui/grid/grid.tsx'
import type { StatementResult } from '../running/run.ts'
import type { ResultRows } from './use-result-rows.ts'
import styles from '../results/results.module.css'

interface Props {
  readonly statement: StatementResult
  readonly rows: ResultRows
}

export function RowsResult({ statement, rows }: Props) {
  const { store } = useEditorRuntime()
  const [opened, setOpened] = useState<OpenedCell | null>(null)
  const copyRange = useCopyRange(statement, rows)
  const select = useSelect(rows)
  useEffect(() => () => store.select(null), [store])
  const { fields, grid } = rows
  if (fields === null) return <RowsToCome rows={rows} />
  const open = ({ row, column }: Cell) => {
    const field = fields[column]
    const value = grid.at(row)?.[column]
    if (!field || value === undefined) return
    const { queryId, isKept } = statement
    setOpened({ queryId, isKept, row, column, field, value, length: grid.lengthAt(row, column) })
  }
  return (
    <div className={styles['rows']}>
      <Grid
        label={t('editor.grid.label')}
        columns={fields}
        rows={grid}
        sample={rows.firstRows}
        onLook={rows.look}
        onOpen={open}
        onSelect={select}
        onCopyMissing={(range) => void copyRange('tsv', range)}
      />
      {rows.count === 0 && (
        <div className={styles['overRows']}>
          <EmptyState title={t('editor.result.noRows')}>{t('editor.result.noRowsBody')}</EmptyState>
        </div>
      )}
      <CellViewer cell={opened} onClose={() => setOpened(null)} />
    </div>
  )
}

/** What is selected is told to the status bar and to what copies. */
function useSelect({ grid }: ResultRows) {
  const { store } = useEditorRuntime()
  return useCallback(
    (range: CellRange | null) => store.select(range && { range, summary: summarise(grid, range) }),
    [store, grid],
  )
}

/** The answer came without its rows, because it is one of an earlier run: they are read where they are kept. */
function RowsToCome({ rows }: { rows: ResultRows }) {
  if (rows.failure)
    return (
      <ErrorState title={t('editor.result.rowsFailed')} what={rows.failure.message} onRetry={rows.retry} />
    )
  return (
    <div className={styles['running']}>
      <Spinner label={t('editor.result.loadingRows')} />
    </div>
  )
}

/** Above the rows that are here, when others could not be loaded. */
export function RowsFailure({ rows }: { rows: ResultRows }) {
  if (!rows.failure) return null
  return (
    <div className={styles['strip']} role="alert">
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
      <p className={styles['stripText']}>
        {t('editor.result.moreRowsFailed')} {rows.failure.message}
      </p>
      <Button size="sm" onClick={rows.retry}>
        {t('ui.retry')}
      </Button>
    </div>
  )
}
