import '../../i18n/warehouse.ts'
import { t } from '../../i18n/texts.ts'
import { PageHeader } from '../../ui/index.ts'
import { WarehouseForm } from './warehouse-form.tsx'
import styles from './warehouse.module.css'

interface Props {
  readonly onDone: (warehouseId: string) => void
  readonly onCancel: () => void
}

/** SHELL-32: the same form as a page of its own, for links that lead straight to it. */
export function AddWarehousePage({ onDone, onCancel }: Props) {
  return (
    <div className={styles['page']}>
      <PageHeader title={t('warehouse.form.createTitle')} />
      <div className={styles['full']}>
        <WarehouseForm onDone={({ warehouseId }) => onDone(warehouseId)} onCancel={onCancel} />
      </div>
    </div>
  )
}
