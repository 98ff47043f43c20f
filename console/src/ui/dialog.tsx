import { useEffect, useEffectEvent, useId } from 'react'
import type { ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { t } from '../i18n/texts.ts'
import { useDialogLayer } from './dialog-layer.ts'
import styles from './dialog.module.css'
import { IconX } from './icons.ts'
import { useKeptFocus } from './kept-focus.ts'

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
  /** Off where there is nothing to go back to: only a button of its own leads on. */
  readonly closable?: boolean
}

export const Dialog = (props: DialogProps) => props.open && createPortal(<Window {...props} />, document.body)

/** The z-index of the lowest; toasts lie above them all. */
const LOWEST = 200

function Window(props: DialogProps) {
  const { onClose, title, children, footer, width = 440, closeOnClickOutside = true, closable = true } = props
  const { depth, isTop } = useDialogLayer()
  const panel = useKeptFocus({ isModal: true })
  const titleId = useId()
  useEscape(isTop && closable, onClose)
  return (
    <div
      className={styles['scrim']}
      style={{ zIndex: LOWEST + depth }}
      onPointerDown={({ target, currentTarget }) => {
        if (target === currentTarget && closable && closeOnClickOutside) onClose()
      }}
    >
      <div
        ref={panel}
        role="dialog"
        aria-modal
        aria-labelledby={titleId}
        tabIndex={-1}
        className={styles['window']}
        style={{ width }}
      >
        {/* Not a header element: it would count as a second banner of the page. */}
        <div className={styles['header']}>
          <h2 id={titleId} className={styles['title']}>
            {title}
          </h2>
          {closable && (
            <button type="button" className={styles['close']} aria-label={t('ui.close')} onClick={onClose}>
              <IconX size={16} aria-hidden />
            </button>
          )}
        </div>
        <div className={styles['content']}>{children}</div>
        {footer && <div className={styles['footer']}>{footer}</div>}
      </div>
    </div>
  )
}

/** Wherever the focus is by now. One press closes one dialog: the dialog that takes it says so. */
function useEscape(isMeant: boolean, onClose: () => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isMeant) return
    event.preventDefault()
    onClose()
  })
  useEffect(() => {
    window.addEventListener('keydown', pressed)
    return () => window.removeEventListener('keydown', pressed)
  }, [])
}
