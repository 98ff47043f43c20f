import { schema } from '@boathouse/contract/schema'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { ConfirmDialog, Switch } from '../../../ui/index.ts'
import type { Place } from '../tabs/place.ts'
import styles from './danger-dialog.module.css'
import type { Danger } from './dangers.ts'

interface Props {
  readonly open: boolean
  readonly dangers: readonly Danger[]
  /** Where names without a place are looked for. */
  readonly place: Place
  readonly asks: boolean
  readonly onAsks: (asks: boolean) => void
  readonly onClose: () => void
  readonly onRun: () => void
}

/** What the statements will touch, before they run. */
export function DangerDialog({ open, dangers, place, asks, onAsks, onClose, onRun }: Props) {
  return (
    <ConfirmDialog
      open={open}
      danger
      onClose={onClose}
      onConfirm={onRun}
      title={t('editor.danger.title')}
      confirmLabel={t('editor.danger.run')}
    >
      <ul className={styles['dangers']}>
        {dangers.map((danger, at) => (
          // Two statements may touch the same table.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at}>
            {t(`editor.danger.${danger.what}`, { kind: danger.kind, name: danger.path.join('.') })}
            <Rows danger={danger} place={place} />
          </li>
        ))}
      </ul>
      <Switch label={t('editor.danger.asks')} checked={asks} onChange={onAsks} />
    </ConfirmDialog>
  )
}

/** How many rows that is, where the catalog knows it. */
function Rows({ danger, place }: { danger: Danger; place: Place }) {
  const [table = '', databaseName = place.database, catalog = place.catalog] = danger.path.toReversed()
  const isTable = danger.what !== 'drop' || danger.kind === 'table'
  const found = useCall(
    schema.describe,
    { catalog, databaseName, tableName: table },
    { enabled: isTable && table !== '' && databaseName !== '', silent: true, staleTime: 0 },
  )
  const rows = found.data?.rows
  if (!rows) return null
  const shown = rows.count.toLocaleString('en-US')
  return ` ${t(rows.exact ? 'editor.danger.rows' : 'editor.danger.aboutRows', { count: rows.count, shown })}`
}
