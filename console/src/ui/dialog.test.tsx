import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { BaseProvider, Button, ConfirmDialog, Dialog } from './index.ts'

function Asking() {
  const [open, setOpen] = useState(false)
  return (
    <BaseProvider>
      <Button onClick={() => setOpen(true)}>Ask</Button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Question">
        Sure?
      </Dialog>
      {open && <p>open</p>}
    </BaseProvider>
  )
}

test('closing the first dialog returns to what opened it', async () => {
  render(<Asking />)
  const ask = screen.getByRole('button', { name: 'Ask' })
  await userEvent.click(ask)
  const dialog = await screen.findByRole('dialog', { name: 'Question' })
  expect(dialog.contains(document.activeElement)).toBe(true)
  await userEvent.keyboard('{Escape}')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await vi.waitFor(() => expect(document.activeElement).toBe(ask))
})

function OneAbove() {
  const [open, setOpen] = useState({ lower: true, upper: false })
  return (
    <BaseProvider>
      {/* Before the other in the page, and opened after it. */}
      <Dialog open={open.upper} onClose={() => setOpen({ ...open, upper: false })} title="Upper">
        Sure?
      </Dialog>
      <Dialog open={open.lower} onClose={() => setOpen({ ...open, lower: false })} title="Lower">
        <Button onClick={() => setOpen({ ...open, upper: true })}>Ask</Button>
      </Dialog>
    </BaseProvider>
  )
}

test('of two dialogs the one opened last lies above, and Escape closes it alone', async () => {
  render(<OneAbove />)
  await userEvent.click(await screen.findByRole('button', { name: 'Ask' }))
  const upper = await screen.findByRole('dialog', { name: 'Upper' })
  await vi.waitFor(() => expect(upper.contains(document.activeElement)).toBe(true))
  await userEvent.keyboard('{Escape}')
  await vi.waitFor(() => expect(screen.queryByRole('dialog', { name: 'Upper' })).toBeNull())
  expect(screen.getByRole('dialog', { name: 'Lower' })).toBeTruthy()
})

test.each([
  [true, 'Cancel'],
  [false, 'Delete it'],
])('a question whose danger is %s begins at %s', async (danger, name) => {
  const confirm = vi.fn<() => void>()
  render(
    <ConfirmDialog
      open
      danger={danger}
      title="Sure?"
      confirmLabel="Delete it"
      onClose={() => undefined}
      onConfirm={confirm}
    >
      All of it
    </ConfirmDialog>,
  )
  expect(document.activeElement?.textContent).toBe(name)
  await userEvent.keyboard('{Enter}')
  expect(confirm).toHaveBeenCalledTimes(danger ? 0 : 1)
})
