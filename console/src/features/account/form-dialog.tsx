import type { FormEvent, ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { Button, Dialog } from '../../ui/index.ts'
import styles from './account.module.css'

interface Props {
  readonly title: string
  readonly width?: number
  readonly onClose: () => void
  readonly onSubmit: (event: FormEvent) => void
  /** The button that sends it. */
  readonly action: ReactNode
  readonly children: ReactNode
}

/** A form in a dialog, which a stray click does not close. */
export function FormDialog({ title, width = 440, onClose, onSubmit, action, children }: Props) {
  return (
    <Dialog open onClose={onClose} title={title} width={width} closeOnClickOutside={false}>
      <form className={styles['form']} onSubmit={onSubmit} noValidate>
        {children}
        <div className={styles['buttons']}>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          {action}
        </div>
      </form>
    </Dialog>
  )
}
