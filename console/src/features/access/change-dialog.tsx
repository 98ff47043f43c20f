import type { PlannedChange } from '@boathouse/contract/perms'
import type { ReactNode } from 'react'
import { useConfirm } from '../../lib/use-confirm.ts'
import { FormDialog } from '../../ui/index.ts'
import { Effect } from './effect.tsx'

interface Props {
  readonly title: string
  readonly confirmLabel: string
  readonly danger?: boolean
  /** True: something is still to be entered. */
  readonly confirmDisabled?: boolean
  readonly width?: number
  /** Null while it is not yet said what shall change. */
  readonly planned: PlannedChange | null
  /** Further objects for which the same change is made. */
  readonly alsoOn?: readonly string[]
  /** False: the input is not valid yet, and the form shows why. */
  readonly onConfirm: () => Promise<boolean>
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** One change: what is chosen, what it would do, and why it was refused. */
export function ChangeDialog({ planned, alsoOn = [], onConfirm, onClose, children, ...rest }: Props) {
  const { confirm, isWorking, refusal } = useConfirm({ onConfirm, onDone: onClose })
  return (
    <FormDialog {...rest} isWorking={isWorking} refusal={refusal} onSubmit={confirm} onClose={onClose}>
      {children}
      {planned && <Effect planned={planned} alsoOn={alsoOn} />}
    </FormDialog>
  )
}
