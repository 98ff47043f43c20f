import { useEffect, useEffectEvent, useId } from 'react'
import type { ReactNode, RefObject } from 'react'
import { createPortal } from 'react-dom'
import { t } from '../i18n/texts.ts'
import styles from './drawer.module.css'
import { IconButton } from './icon-button.tsx'
import { IconX } from './icons.ts'
import { useKeptFocus } from './kept-focus.ts'

interface Props {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** Beside the page, which stays in use: the focus goes into it and may leave it. */
export function Drawer({ title, onClose, children }: Props) {
  const panel = useKeptFocus({ isModal: false })
  useEscape(panel, onClose)
  const titleId = useId()
  return createPortal(
    <div ref={panel} role="dialog" aria-labelledby={titleId} tabIndex={-1} className={styles['drawer']}>
      <div className={styles['header']}>
        <h2 id={titleId} className={styles['title']}>
          {title}
        </h2>
        <IconButton label={t('ui.close')} size="sm" onClick={onClose}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </div>
      <div className={styles['content']}>{children}</div>
    </div>,
    document.body,
  )
}

/** Where the focus is in it: outside, the key is meant for something else. */
function useEscape(panel: RefObject<HTMLElement | null>, onClose: () => void): void {
  const pressed = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
  })
  useEffect(() => {
    const element = panel.current
    element?.addEventListener('keydown', pressed)
    return () => element?.removeEventListener('keydown', pressed)
  }, [panel])
}
