import { t } from '../../i18n/texts.ts'
import { Spinner } from '../../ui/index.ts'
import styles from './pending-page.module.css'

export function PendingPage() {
  return (
    <div className={styles['pending']}>
      <Spinner size={22} label={t('shell.loading')} />
    </div>
  )
}
