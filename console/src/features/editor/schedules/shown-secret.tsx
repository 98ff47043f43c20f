import { t } from '../../../i18n/texts.ts'
import { SecretDialog } from '../../../ui/index.ts'
import styles from './schedules.module.css'

interface Props {
  readonly name: string
  readonly secret: string
  readonly onClose: () => void
}

export const ShownSecret = ({ name, secret, onClose }: Props) => (
  <SecretDialog
    title={t('schedules.secret.title', { name })}
    once={t('schedules.secret.once')}
    label={t('schedules.secret.label')}
    secret={secret}
    done={t('schedules.secret.done')}
    onClose={onClose}
  >
    <p className={styles['note']}>{t('schedules.secret.verify')}</p>
  </SecretDialog>
)
