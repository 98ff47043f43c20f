import { t } from '../../i18n/texts.ts'
import { SecretDialog } from '../../ui/index.ts'
import styles from './alert.module.css'

interface Props {
  readonly name: string
  readonly secret: string
  readonly onClose: () => void
}

export const ShownSecret = ({ name, secret, onClose }: Props) => (
  <SecretDialog
    title={t('alerts.secret.title', { name })}
    once={t('alerts.secret.once')}
    label={t('alerts.secret.label')}
    secret={secret}
    done={t('alerts.secret.done')}
    onClose={onClose}
  >
    <p className={styles['note']}>{t('alerts.secret.verify')}</p>
  </SecretDialog>
)
