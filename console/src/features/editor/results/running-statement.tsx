import { t } from '../../../i18n/texts.ts'
import { formatCount } from '../../../lib/format.ts'
import { Spinner } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { isAsked } from '../running/run.ts'
import type { Run, StatementResult } from '../running/run.ts'
import { DEFAULT_WAREHOUSE } from '../warehouse/use-warehouses.ts'
import styles from './results.module.css'

interface Props {
  readonly tabId: string
  readonly run: Run
  readonly statement: StatementResult | undefined
}

export function RunningStatement({ tabId, run, statement }: Props) {
  // 0 until the engine knows better.
  const progress = statement?.progress || null
  return (
    <div className={styles['running']}>
      <p className={styles['runningText']}>
        <Spinner size={16} />
        <WhatHappens tabId={tabId} run={run} statement={statement} />
      </p>
      {progress !== null && (
        <progress
          className={styles['progress']}
          max={100}
          value={progress}
          aria-label={t('editor.result.progress')}
        />
      )}
      {statement && <RowsRead statement={statement} />}
    </div>
  )
}

function RowsRead({ statement }: { readonly statement: StatementResult }) {
  const { progressRows: rows, progressTotalRows: total } = statement
  // Engines tell 0 until they have read a whole block.
  if (!rows || !total) return null
  return (
    <p className={styles['rowsRead']}>
      {t('editor.result.rowsRead', { rows: formatCount(rows), total: formatCount(total) })}
    </p>
  )
}

function WhatHappens({ tabId, run, statement }: Props) {
  const { store } = useEditorRuntime()
  const warehouse = useEditorState(store, ({ tabs }) => tabs[tabId]?.warehouse || DEFAULT_WAREHOUSE)
  const place = statement?.queuePlace ?? null
  const inLine = () =>
    t('editor.result.inLine', {
      count: place ?? 0,
      ordinal: true,
      shown: place?.toLocaleString('en-US'),
      warehouse,
    })
  const words = () => {
    if (isAsked(run)) return t('editor.result.asking')
    if (run.stopping) return t('editor.toolbar.stopping')
    return place === null ? t('editor.result.running') : inLine()
  }
  return <span role="status">{words()}</span>
}
