import '../../i18n/load.ts'
import type { Reading } from '@boathouse/contract/load'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ReadingPanel } from './reading-panel.tsx'

const READING: Reading = {
  format: 'xlsx',
  encoding: 'utf-8',
  delimiter: null,
  header: null,
  sheet: null,
  written: null,
}

const UNKNOWN = { delimiter: null, header: null }

function shown(reading: Partial<Reading> = {}, detected: Pick<Reading, 'delimiter' | 'header'> = UNKNOWN) {
  const onChange = vi.fn<(reading: Reading) => void>()
  render(
    <ReadingPanel
      reading={{ ...READING, ...reading }}
      sheets={['Ports', 'Crews']}
      detected={detected}
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
  expect(screen.getByRole('combobox', { name: 'First row' })).toBeTruthy()
  await user.click(screen.getByRole('combobox', { name: 'Sheet' }))
  await user.click(await screen.findByRole('option', { name: 'Crews' }))
  expect(onChange).toHaveBeenCalledWith({ ...READING, sheet: 'Crews' })
})

test('other files have no sheet', () => {
  shown({ format: 'csv' })
  expect(screen.queryByRole('combobox', { name: 'Sheet' })).toBeNull()
  expect(screen.getByRole('combobox', { name: 'Delimiter' })).toBeTruthy()
})

test('what a preview detected is named beside the choice to detect it', () => {
  shown({ format: 'csv' }, { delimiter: ';', header: true })
  const shownIn = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name }).value
  expect(shownIn('Delimiter')).toContain('Detect automatically (semicolon)')
  expect(shownIn('First row')).toContain('Detect automatically (column names)')
})

test('before a preview the choice to detect names nothing', () => {
  shown({ format: 'csv' })
  const shownIn = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name }).value
  expect(shownIn('Delimiter')).toContain('Detect automatically')
  expect(shownIn('Delimiter')).not.toContain('(')
})

test('dates and numbers of a text are set, and what is set back is detected again', async () => {
  const { onChange, user } = shown({ format: 'csv' })
  await user.click(screen.getByRole('combobox', { name: 'Dates' }))
  await user.click(await screen.findByRole('option', { name: /Day\/month\/year/ }))
  const plain = { date: null, timestamp: null, decimal: '.', thousands: null }
  expect(onChange).toHaveBeenLastCalledWith(
    expect.objectContaining({ written: { ...plain, date: '%d/%m/%Y' } }),
  )
  await user.click(screen.getByRole('combobox', { name: 'Numbers' }))
  await user.click(await screen.findByRole('option', { name: '1.234,56' }))
  expect(onChange).toHaveBeenLastCalledWith(
    expect.objectContaining({ written: { ...plain, decimal: ',', thousands: '.' } }),
  )
})

test('a pattern of one’s own is taken when it is complete, and a wrong one never', async () => {
  const { onChange, user } = shown({ format: 'csv' })
  await user.click(screen.getByRole('combobox', { name: 'Dates' }))
  await user.click(await screen.findByRole('option', { name: 'Own pattern' }))
  const field = screen.getByRole('textbox', { name: 'Date pattern' })
  await user.type(field, '%q{Enter}')
  expect(screen.getByText('Enter a pattern such as %d/%m/%Y')).toBeTruthy()
  expect(onChange).not.toHaveBeenCalled()
  await user.clear(field)
  await user.type(field, '%d-%b-%y{Enter}')
  expect(onChange.mock.lastCall?.[0].written?.date).toBe('%d-%b-%y')
})

test('a spreadsheet has dates of its own', () => {
  shown()
  expect(screen.queryByRole('combobox', { name: 'Dates' })).toBeNull()
})
