import '../../i18n/load.ts'
import type { Inspection, SpoiledType } from '@boathouse/contract/load'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { SpoiledColumns } from './spoiled-columns.tsx'

const row = (line: number, value: string) => ({
  line,
  column: 'id',
  reason: `${value} is not of the type BIGINT.`,
  text: `${value},x`,
})

const SPOILED: SpoiledType = {
  column: 'id',
  type: 'BIGINT',
  values: 200_000,
  misfits: 3,
  rows: [row(19, 'n/a'), row(502, '-')],
}

const INSPECTION: Inspection = {
  state: 'finished',
  reading: { format: 'csv', encoding: 'utf-8', delimiter: ',', header: true, sheet: null },
  error: '',
  columns: [
    { name: 'name', type: 'VARCHAR' },
    { name: 'id', type: 'VARCHAR' },
  ],
  rows: [],
  sheets: [],
  sampledBytes: null,
  spoiled: [SPOILED],
}

function shown(type: string) {
  const onNarrow = vi.fn<(at: number, spoiled: SpoiledType) => void>()
  const columns = [
    { name: 'name', type: 'VARCHAR', into: 'name' },
    { name: 'id', type, into: 'id' },
  ]
  render(<SpoiledColumns inspection={INSPECTION} columns={columns} onNarrow={onNarrow} />)
  return { onNarrow, user: userEvent.setup() }
}

test('the rows that make a text of a column are named, and its type is one click away', async () => {
  const { onNarrow, user } = shown('VARCHAR')
  expect(screen.getByText(/3 of 200,000 values of id are not BIGINT/)).toBeTruthy()
  expect(screen.getByText('Line 19: n/a is not of the type BIGINT.')).toBeTruthy()
  expect(screen.getByText('1 more row')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /Use BIGINT and reject these rows: id/ }))
  expect(onNarrow).toHaveBeenCalledWith(1, SPOILED)
})

test('a type that was chosen is not asked for again', () => {
  shown('BIGINT')
  expect(screen.queryByRole('button')).toBeNull()
})
