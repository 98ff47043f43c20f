import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './dialog.module.css'

export interface DialogProps {
  readonly open: boolean
  readonly onClose: () => void
  readonly title: string
  readonly children: ReactNode
  /** Buttons, the primary one last. */
  readonly footer?: ReactNode
  readonly width?: number
  /** Off where leaving by a stray click would lose something. */
  readonly closeOnClickOutside?: boolean
}

export function Dialog(props: DialogProps) {
  const { open, onClose, title, children, footer, width = 440, closeOnClickOutside = true } = props
  const { t } = useTranslation()
  return (
    <Modal.Root
      opened={open}
      onClose={onClose}
      size={width}
      centered
      closeOnClickOutside={closeOnClickOutside}
      transitionProps={{ duration: 120, transition: 'fade' }}
    >
      <Modal.Overlay color="var(--scrim)" backgroundOpacity={1} />
      <Modal.Content>
        {/* Not the kit's header element: it would count as a second banner of the page. */}
        <div className={styles['header']}>
          <Modal.Title>{title}</Modal.Title>
          <Modal.CloseButton aria-label={t('ui.close')} />
        </div>
        <Modal.Body>
          {children}
          {footer && <div className={styles['footer']}>{footer}</div>}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
