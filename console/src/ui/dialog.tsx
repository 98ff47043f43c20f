import { useEffect, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { t } from '../i18n/texts.ts'
import { notify } from './toasts.tsx'

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

/** Nobody waits at the start of a page for the parts of a dialog: they come when the first one is opened. */
export function Dialog(props: DialogProps) {
  const { open, onClose } = props
  const [Window, setWindow] = useState<ComponentType<DialogProps> | null>(null)
  useEffect(() => {
    if (!open || Window) return
    let wanted = true
    import('./dialog-window.tsx').then(
      ({ DialogWindow }) => setWindow(() => DialogWindow),
      () => {
        if (!wanted) return
        notify({ tone: 'err', message: t('ui.dialogFailed') })
        onClose()
      },
    )
    return () => {
      wanted = false
    }
  }, [open, Window, onClose])
  return Window && <Window {...props} />
}
