import '../../i18n/load.ts'
import type { Inspection, LoadColumn, SpoiledType } from '@boathouse/contract/load'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { type SpoiledChoice, SpoiledColumns } from './spoiled-columns.tsx'

const row = (line: number, value: string) => ({
  line,
  column: 'id',
  reason: `${value} is not of the type BIGINT.`,
  text: `${value},x`,
})

const SPOILED: SpoiledType = {
  column: 'id',
  type: 'BIGINT',
  format: null,
  values: 200_000,
  misfits: 3,
  rows: [row(19, 'n/a'), row(502, '-')],
}

const INSPECTION: Inspection = {
  state: 'finished',
  reading: { format: 'csv', encoding: 'utf-8', delimiter: ',', header: true, sheet: null, written: null },
  error: '',
  columns: [
    { name: 'name', type: 'VARCHAR', values: 200_000 },
    { name: 'id', type: 'VARCHAR', values: 200_000 },
  ],
  rows: [],
  sheets: [],
  sampledBytes: null,
  detected: { date: null, timestamp: null },
  spoiled: [SPOILED],
  decimalCommas: [],
  broken: { count: 0, rows: [] },
}

function shown(part: Partial<LoadColumn> = {}) {
  const onChoose = vi.fn<(at: number, spoiled: SpoiledType, choice: SpoiledChoice) => void>()
  const columns: LoadColumn[] = [
    { name: 'name', type: 'VARCHAR', into: 'name', misfits: 'reject' },
    { name: 'id', type: 'VARCHAR', into: 'id', misfits: 'reject', ...part },
  ]
  render(<SpoiledColumns inspection={INSPECTION} columns={columns} onChoose={onChoose} />)
  const choice = () => screen.queryByRole<HTMLInputElement>('combobox', { name: /Values of id/ })
  return { onChoose, choice, user: userEvent.setup() }
}

test('the rows that make a text of a column are named, and these values can become NULL or be left out', async () => {
  const { onChoose, choice, user } = shown()
  expect(screen.getByText(/3 of 200,000 values of id are not BIGINT/)).toBeTruthy()
  expect(screen.getByText('Line 19: n/a is not of the type BIGINT.')).toBeTruthy()
  expect(screen.getByText('1 more row')).toBeTruthy()
  expect(choice()?.value).toBe('Keep the column as text')
  for (const [label, chosen] of [
    ['Use BIGINT and load these values as NULL', 'null'],
    ['Use BIGINT and reject these rows', 'reject'],
  ] as const) {
    await user.click(screen.getByRole('combobox', { name: /Values of id/ }))
    await user.click(await screen.findByRole('option', { name: label }))
    expect(onChoose).toHaveBeenLastCalledWith(1, SPOILED, chosen)
  }
})

test('what was chosen is shown, and a type of one’s own is not asked about', () => {
  expect(shown({ type: 'BIGINT', misfits: 'null' }).choice()?.value).toContain('as NULL')
  cleanup()
  expect(shown({ type: 'DOUBLE' }).choice()).toBeNull()
})
