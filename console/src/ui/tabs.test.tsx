import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { Tabs } from './index.ts'

function Pair() {
  const [value, setValue] = useState('users')
  const items = [
    { value: 'users', label: 'Users', content: 'All users' },
    { value: 'roles', label: 'Roles', content: 'All roles' },
  ]
  return <Tabs label="Access" value={value} onChange={setValue} items={items} />
}

test('one tab is in the order of Tab; arrow keys choose the others, round and round', async () => {
  render(<Pair />)
  await userEvent.tab()
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Users' }))
  await userEvent.keyboard('{ArrowRight}')
  expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Roles' }))
  expect(screen.getByRole('tabpanel', { name: 'Roles' }).textContent).toBe('All roles')
  await userEvent.keyboard('{ArrowRight}')
  expect(screen.getByRole('tabpanel', { name: 'Users' }).textContent).toBe('All users')
})
