import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { BaseProvider, Button, Menu } from './index.ts'

function open(chosen: (what: string) => void) {
  render(
    <BaseProvider>
      <Menu
        label="Actions"
        trigger={<Button>More</Button>}
        entries={[
          { kind: 'heading', label: 'Change' },
          { label: 'Rename', onSelect: () => chosen('rename') },
          { label: 'Suspend', disabled: true, onSelect: () => chosen('suspend') },
          { label: 'Delete', danger: true, onSelect: () => chosen('delete') },
          {
            kind: 'choice',
            value: 'light',
            options: [
              { value: 'light', label: 'Light' },
              { value: 'dark', label: 'Dark' },
            ],
            onChange: chosen,
          },
        ]}
      />
      <Button>Elsewhere</Button>
    </BaseProvider>,
  )
  return screen.getByRole('button', { name: 'More' })
}

const focused = () => document.activeElement?.textContent

test('arrow keys and first letters move through a menu, Enter chooses, the focus returns', async () => {
  const chosen = vi.fn<(what: string) => void>()
  const more = open(chosen)
  more.focus()
  await userEvent.keyboard('{ArrowDown}')
  expect(screen.getByRole('menu', { name: 'Actions' })).toBeTruthy()
  expect(more.getAttribute('aria-expanded')).toBe('true')
  expect(focused()).toBe('Rename')
  await userEvent.keyboard('{ArrowUp}')
  expect(focused()).toBe('Dark')
  await userEvent.keyboard('{ArrowDown}{End}{Home}')
  expect(focused()).toBe('Rename')
  await userEvent.keyboard('d')
  expect(focused()).toBe('Delete')
  await userEvent.keyboard('{Enter}')
  expect(chosen.mock.calls).toEqual([['delete']])
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).toBe(more)
})

test('Escape and a press elsewhere close a menu and choose nothing', async () => {
  const chosen = vi.fn<(what: string) => void>()
  const more = open(chosen)
  await userEvent.click(more)
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).toBe(more)
  await userEvent.click(more)
  await userEvent.click(screen.getByRole('button', { name: 'Elsewhere' }))
  expect(screen.queryByRole('menu')).toBeNull()
  expect(chosen).not.toHaveBeenCalled()
})

test('what is not possible now is shown and cannot be chosen; one of several is marked', async () => {
  const chosen = vi.fn<(what: string) => void>()
  await userEvent.click(open(chosen))
  await userEvent.click(screen.getByRole('menuitem', { name: 'Suspend' }))
  expect(chosen).not.toHaveBeenCalled()
  expect(screen.getByRole('menuitemradio', { name: 'Light' }).getAttribute('aria-checked')).toBe('true')
  await userEvent.click(screen.getByRole('menuitemradio', { name: 'Dark' }))
  expect(chosen.mock.calls).toEqual([['dark']])
})

test('entries with one label under different headings are distinguished', async () => {
  const complaints = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const chosen = vi.fn<(what: string) => void>()
  render(
    <BaseProvider>
      <Menu
        label="Download"
        trigger={<Button>Download</Button>}
        entries={[
          { kind: 'heading', label: 'First rows' },
          { label: 'CSV', onSelect: () => chosen('first') },
          { kind: 'heading', label: 'All rows' },
          { label: 'CSV', onSelect: () => chosen('all') },
        ]}
      />
    </BaseProvider>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Download' }))
  const [, all] = screen.getAllByRole('menuitem', { name: 'CSV' })
  if (all) await userEvent.click(all)
  expect(chosen.mock.calls).toEqual([['all']])
  expect(complaints).not.toHaveBeenCalled()
  complaints.mockRestore()
})
