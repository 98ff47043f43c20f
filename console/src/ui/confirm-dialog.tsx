import { useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../i18n/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './dialog.module.css'

interface Props {
  readonly open: boolean
  readonly onClose: () => void
  /** The dialog stays, with a working button, until it settles; the caller reports a failure. */
  readonly onConfirm: () => void | Promise<void>
  readonly title: string
  /** What will happen, in numbers where something is lost. */
  readonly children: ReactNode
  /** A verb and its object, as in 'Delete warehouse'. */
  readonly confirmLabel: string
  readonly danger?: boolean
  /** True: something is still to be entered. */
  readonly confirmDisabled?: boolean
}

export function ConfirmDialog(props: Props) {
  const { open, onClose, onConfirm, title, children, confirmLabel, danger = false } = props
  const { confirmDisabled = false } = props
  const [working, setWorking] = useState(false)
  const confirm = async () => {
    setWorking(true)
    try {
      await onConfirm()
    } finally {
      setWorking(false)
    }
  }
  const footer = (
    <>
      {/* A key that was pressed a moment too long, or twice, must not be taken for a yes. */}
      <Button onClick={onClose} data-autofocus={danger || undefined}>
        {t('ui.cancel')}
      </Button>
      <Button
        variant={danger ? 'danger' : 'primary'}
        loading={working}
        disabled={confirmDisabled}
        onClick={() => void confirm()}
        data-autofocus={!danger || undefined}
      >
        {confirmLabel}
      </Button>
    </>
  )
  return (
    <Dialog open={open} onClose={onClose} title={title} footer={footer}>
      <div className={styles['body']}>{children}</div>
    </Dialog>
  )
}
