import { useTranslation } from 'react-i18next'
import { Spinner } from '../../ui/index.ts'
import styles from './pending-page.module.css'

export function PendingPage() {
  const { t } = useTranslation()
  return (
    <div className={styles['pending']}>
      <Spinner size={22} label={t('shell.loading')} />
    </div>
  )
}
