import type { ReactNode } from 'react'
import { useConfirm } from '../../lib/use-confirm.ts'
import { FormDialog } from '../../ui/index.ts'

interface Props {
  readonly title: string
  readonly confirmLabel: string
  readonly danger?: boolean
  readonly width?: number
  /** True: something is still to be entered. */
  readonly confirmDisabled?: boolean
  /** False: the input is not valid yet, and the form shows why. */
  readonly onConfirm: () => Promise<boolean>
  readonly onClose: () => void
  /** At the left of the buttons. */
  readonly aside?: ReactNode
  /** What to do about a refusal, below it. */
  readonly hint?: string
  readonly children?: ReactNode
}

/** A change of catalogs or what is in them. */
export function CatalogDialog({ onConfirm, onClose, hint, ...rest }: Props) {
  const { confirm, isWorking, refusal } = useConfirm({ onConfirm, onDone: onClose })
  return (
    <FormDialog
      {...rest}
      isWorking={isWorking}
      refusal={refusal && hint ? `${refusal} ${hint}` : refusal}
      onSubmit={confirm}
      onClose={onClose}
    />
  )
}
