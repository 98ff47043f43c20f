import '../../i18n/load.ts'
import type { Reading } from '@boathouse/contract/load'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ReadingPanel } from './reading-panel.tsx'

const READING: Reading = { format: 'xlsx', encoding: 'utf-8', delimiter: null, header: null, sheet: null }

function shown(reading: Partial<Reading> = {}) {
  const onChange = vi.fn<(reading: Reading) => void>()
  render(
    <ReadingPanel
      reading={{ ...READING, ...reading }}
      sheets={['Ports', 'Crews']}
      onChange={onChange}
      onLook={() => undefined}
      isLooking={false}
      error=""
    />,
  )
  return { onChange, user: userEvent.setup() }
}

test('of a spreadsheet a sheet is chosen, and whether its first row has the names', async () => {
  const { onChange, user } = shown()
  expect(screen.queryByRole('combobox', { name: 'Delimiter' })).toBeNull()
  expect(screen.getByRole('combobox', { name: 'First line' })).toBeTruthy()
  await user.click(screen.getByRole('combobox', { name: 'Sheet' }))
  await user.click(await screen.findByRole('option', { name: 'Crews' }))
  expect(onChange).toHaveBeenCalledWith({ ...READING, sheet: 'Crews' })
})

test('of other files no sheet is asked for', () => {
  shown({ format: 'csv' })
  expect(screen.queryByRole('combobox', { name: 'Sheet' })).toBeNull()
  expect(screen.getByRole('combobox', { name: 'Delimiter' })).toBeTruthy()
})
