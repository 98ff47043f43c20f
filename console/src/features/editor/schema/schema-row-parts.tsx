import { t } from '../../../i18n/texts.ts'
import { IconDatabase, IconEye, IconServer, IconTable, IconTextPlus } from '../icons.ts'
import type { SchemaRow } from './schema-rows.ts'
import styles from './schema-panel.module.css'

const ICONS = {
  catalog: IconServer,
  database: IconDatabase,
  table: IconTable,
  view: IconEye,
  materialized_view: IconEye,
} as const

const isObject = (kind: SchemaRow['kind']): kind is keyof typeof ICONS => kind in ICONS

export function iconOf({ kind }: SchemaRow) {
  if (!isObject(kind)) return null
  const Icon = ICONS[kind]
  return <Icon size={15} stroke={1.6} aria-hidden />
}

interface EndProps {
  readonly row: SchemaRow
  readonly onInsert: (row: SchemaRow) => void
}

/** For the pointer; Enter on the row does the same. */
export function RowEnd({ row, onInsert }: EndProps) {
  if (row.retry) return <span className={styles['retry']}>{t('ui.retry')}</span>
  const isView = row.kind === 'view' || row.kind === 'materialized_view'
  if (row.kind !== 'table' && !isView && row.kind !== 'column') return null
  const hint = isView
    ? t(row.kind === 'view' ? 'editor.schema.view' : 'editor.schema.materialized')
    : row.hint
  return (
    <>
      {hint && <span className={styles['hint']}>{hint}</span>}
      <button
        type="button"
        className={styles['insert']}
        aria-hidden
        tabIndex={-1}
        title={t('editor.schema.insert')}
        onClick={(event) => {
          event.stopPropagation()
          onInsert(row)
        }}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        <IconTextPlus size={15} stroke={1.6} aria-hidden />
      </button>
    </>
  )
}
