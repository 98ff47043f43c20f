import { Tooltip as KitTooltip } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

interface Props {
  readonly label: ReactNode
  readonly position?: 'top' | 'bottom' | 'left' | 'right'
  readonly disabled?: boolean
  /** One element that takes a ref and pointer events. */
  readonly children: ReactElement
}

const OPEN_DELAY_MS = 300

export function Tooltip({ label, position = 'bottom', disabled = false, children }: Props) {
  return (
    <KitTooltip
      label={label}
      position={position}
      disabled={disabled}
      openDelay={OPEN_DELAY_MS}
      events={{ hover: true, focus: true, touch: false }}
    >
      {children}
    </KitTooltip>
  )
}
