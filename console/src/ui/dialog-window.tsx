import { Modal } from '@mantine/core'
import { useEffect, useState } from 'react'
import { t } from '../i18n/texts.ts'
import { useDialogLayer } from './dialog-layer.ts'
import styles from './dialog.module.css'
import type { DialogProps } from './dialog.tsx'

/** The kit's, of the lowest dialog. */
const LOWEST_Z_INDEX = 200

/** A dialog without the kit around it; `Dialog` fetches this when the first one is opened. */
export function DialogWindow(props: DialogProps) {
  const {
    open,
    onClose,
    title,
    children,
    footer,
    width = 440,
    closeOnClickOutside = true,
    closable = true,
  } = props
  const isThere = useIsThere()
  const { depth, isTop } = useDialogLayer(open && isThere)
  return (
    <Modal.Root
      opened={open && isThere}
      onClose={onClose}
      size={width}
      centered
      closeOnClickOutside={closable && closeOnClickOutside}
      closeOnEscape={closable && isTop}
      zIndex={LOWEST_Z_INDEX + depth}
      transitionProps={{ duration: 120, transition: 'fade' }}
    >
      <Modal.Overlay color="var(--scrim)" backgroundOpacity={1} />
      <Modal.Content>
        {/* Not the kit's header element: it would count as a second banner of the page. */}
        <div className={styles['header']}>
          <Modal.Title>{title}</Modal.Title>
          {closable && <Modal.CloseButton aria-label={t('ui.close')} />}
        </div>
        <Modal.Body>
          {children}
          {footer && <div className={styles['footer']}>{footer}</div>}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** The kit remembers where the focus was, and gives it back, only for what opens while it is there. */
function useIsThere(): boolean {
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setThere(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isThere
}
