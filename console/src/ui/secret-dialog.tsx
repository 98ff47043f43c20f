import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CodeBlock } from './code-block.tsx'
import { Dialog } from './dialog.tsx'
import { Stack } from './layout.tsx'

interface Props {
  readonly title: string
  /** That this is the only time. */
  readonly once: string
  readonly label: string
  readonly secret: string
  readonly done: string
  readonly width?: number
  readonly onClose: () => void
  /** What to do with it. */
  readonly children: ReactNode
}

/** The only time that somebody sees it: no stray click or key closes this. */
export function SecretDialog({ title, once, label, secret, done, width = 440, onClose, children }: Props) {
  return (
    <Dialog
      open
      closable={false}
      closeOnClickOutside={false}
      width={width}
      title={title}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          {done}
        </Button>
      }
    >
      <Stack>
        <p>{once}</p>
        <CodeBlock code={secret} label={label} />
        {children}
      </Stack>
    </Dialog>
  )
}
