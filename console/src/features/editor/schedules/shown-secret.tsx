import { t } from '../../../i18n/texts.ts'
import { Button, CodeBlock, Dialog } from '../../../ui/index.ts'
import styles from './schedules.module.css'

interface Props {
  readonly name: string
  readonly secret: string
  readonly onClose: () => void
}

/** The only time that somebody sees it: no stray click or key closes this. */
export function ShownSecret({ name, secret, onClose }: Props) {
  return (
    <Dialog
      open
      closable={false}
      closeOnClickOutside={false}
      title={t('schedules.secret.title', { name })}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {t('schedules.secret.done')}
        </Button>
      }
    >
      <div className={styles['secret']}>
        <p>{t('schedules.secret.once')}</p>
        <CodeBlock code={secret} label={t('schedules.secret.label')} />
        <p className={styles['note']}>{t('schedules.secret.verify')}</p>
      </div>
    </Dialog>
  )
}
