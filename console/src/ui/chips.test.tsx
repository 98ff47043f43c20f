import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Chips } from './index.ts'

function Crew() {
  const [names, setNames] = useState(['Ada', 'Grace'])
  const removable = names.map((name) => ({
    id: name,
    content: name,
    remove: { label: `Remove ${name}`, onClick: () => setNames(names.filter((one) => one !== name)) },
  }))
  return <Chips label="Crew" chips={[{ id: 'captain', content: 'Ida' }, ...removable]} />
}

test('each name that can be removed has a button with its name, by keyboard too; others stay', async () => {
  render(<Crew />)
  const items = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(screen.getByRole('list', { name: 'Crew' })).toBeDefined()
  expect(items()).toEqual(['Ida', 'Ada', 'Grace'])
  await userEvent.click(screen.getByRole('button', { name: 'Remove Ada' }))
  expect(items()).toEqual(['Ida', 'Grace'])
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  expect(items()).toEqual(['Ida'])
  expect(screen.queryByRole('button')).toBeNull()
})

test('there is no list of no names', () => {
  render(<Chips label="Crew" chips={[]} />)
  expect(screen.queryByRole('list')).toBeNull()
})
