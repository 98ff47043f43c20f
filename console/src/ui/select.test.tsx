import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { BaseProvider, Dialog, Select } from './index.ts'

const SIZES = [
  { value: 's', label: 'Small' },
  { value: 'm', label: 'Medium', disabled: true },
  { value: 'l', label: 'Large' },
]

function Chooser({ searchable = false }: { searchable?: boolean }) {
  const [value, setValue] = useState<string | null>('s')
  return (
    <BaseProvider>
      <Select label="Size" options={SIZES} value={value} onChange={setValue} searchable={searchable} />
    </BaseProvider>
  )
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Size' })
const options = () => screen.queryAllByRole('option').map((option) => option.textContent)

test('is opened, moved and chosen by keys, over what cannot be chosen', async () => {
  render(<Chooser />)
  field().focus()
  expect(field().value).toBe('Small')
  await userEvent.keyboard('{ArrowDown}')
  expect(options()).toEqual(['Small', 'Medium', 'Large'])
  await userEvent.keyboard('{ArrowDown}')
  const active = field().getAttribute('aria-activedescendant') ?? ''
  expect(document.getElementById(active)?.textContent).toBe('Large')
  await userEvent.keyboard('{Enter}')
  expect(field().value).toBe('Large')
  expect(options()).toEqual([])
})

test('a search leaves what matches, and says when nothing does', async () => {
  render(<Chooser searchable />)
  await userEvent.click(field())
  await userEvent.keyboard('LAR')
  expect(options()).toEqual(['Large'])
  await userEvent.keyboard('x')
  expect(options()).toEqual(['No matches'])
  await userEvent.keyboard('{Enter}{Escape}')
  expect(field().value).toBe('Small')
})

test('in a dialog, Escape closes the list first and the dialog next', async () => {
  function InDialog() {
    const [open, setOpen] = useState(true)
    return (
      <Dialog open={open} onClose={() => setOpen(false)} title="New warehouse">
        <Chooser />
      </Dialog>
    )
  }
  render(<InDialog />)
  await userEvent.click(field())
  await userEvent.keyboard('{Escape}')
  expect(options()).toEqual([])
  expect(screen.getByRole('dialog')).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
})

/** Options come from somewhere, a moment after the letters. */
function Searching({ found }: { found: readonly string[] }) {
  const [value, setValue] = useState<string | null>(null)
  return (
    <BaseProvider>
      <Select
        label="Size"
        searchable
        isSearching
        onSearch={() => undefined}
        options={found.map((one) => ({ value: one, label: one, hint: `${one}@boats.example` }))}
        value={value}
        onChange={setValue}
      />
    </BaseProvider>
  )
}

const ALL = ['account_admin', 'banana', 'analyst', 'ana']

test.each([
  ['ana', 'ana'],
  ['ANAL', 'analyst'],
  ['nan', 'banana'],
  ['admin', 'account_admin'],
  ['analyst@', 'analyst'],
  ['zz', ''],
  [' ', ''],
  ['', ''],
])('of options for other letters, %j and Enter take %j', async (typed, taken) => {
  render(<Searching found={ALL} />)
  await userEvent.click(field())
  if (typed !== '') await userEvent.keyboard(typed)
  await userEvent.keyboard('{Enter}')
  expect(field().placeholder).toBe(taken)
})

test('an option that was reached by an arrow key stays so when a late answer moves the others, and is unset when it goes', async () => {
  const { rerender } = render(<Searching found={['ana', 'anb']} />)
  await userEvent.click(field())
  await userEvent.keyboard('an{ArrowDown}')
  rerender(<Searching found={['an', 'ana', 'anb', 'anc']} />)
  await userEvent.keyboard('{Enter}')
  expect(field().placeholder).toBe('anb')
  await userEvent.keyboard('an{ArrowDown}{ArrowDown}')
  rerender(<Searching found={['an']} />)
  await userEvent.keyboard('{Enter}')
  expect(field().placeholder).toBe('anb')
})

test('while others are looked for it does not say that nothing was found', async () => {
  render(<Searching found={[]} />)
  await userEvent.click(field())
  expect(options()).toEqual(['Searching…'])
})
