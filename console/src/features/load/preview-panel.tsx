import type { Inspection } from '@boathouse/contract/load'
import { t } from '../../i18n/texts.ts'
import { DataTable, Panel, Spinner, type TableColumn } from '../../ui/index.ts'
import { Cell } from './columns-panel.tsx'
import styles from './load.module.css'

const MOST_SHOWN = 100

interface Row {
  readonly at: number
  readonly cells: readonly (string | null)[]
}

const previewColumn = ({ name }: { readonly name: string }, index: number): TableColumn<Row> => ({
  key: String(index),
  header: name,
  cell: ({ cells }) => <Cell text={cells[index] ?? null} />,
})

interface Props {
  /** Null before the first one. */
  readonly inspection: Inspection | null
  readonly isLooking: boolean
}

/** The first rows, as they are read with the settings beside them. */
export function PreviewPanel({ inspection, isLooking }: Props) {
  return (
    <Panel title={t('load.columns.previewTitle')}>
      <div className={styles['stack']}>
        {isLooking && (
          <p role="status" className={styles['note']}>
            <Spinner /> {t('load.reading.looking')}
          </p>
        )}
        {inspection && <FirstRows inspection={inspection} />}
        {!inspection && !isLooking && <p className={styles['note']}>{t('load.columns.noPreview')}</p>}
      </div>
    </Panel>
  )
}

function FirstRows({ inspection }: { inspection: Inspection }) {
  if (inspection.rows.length === 0) return <p className={styles['note']}>{t('load.columns.noRows')}</p>
  const columns = inspection.columns.slice(0, MOST_SHOWN).map(previewColumn)
  return (
    <DataTable
      wide
      label={t('load.columns.preview')}
      columns={columns}
      rows={inspection.rows.map((cells, at) => ({ at, cells }))}
      rowKey={({ at }) => at}
    />
  )
}
