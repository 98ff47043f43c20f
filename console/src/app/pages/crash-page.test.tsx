import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { stubServer } from '../../testing/stub-server.ts'
import { CrashPage } from './crash-page.tsx'

test.each([
  'Failed to fetch dynamically imported module: http://localhost/assets/home.js',
  'error loading dynamically imported module',
  'Importing a module script failed.',
])('a part that cannot be loaded shows "Loading failed", with retry [SHELL-90]: %s', (message) => {
  const server = stubServer({})
  render(<CrashPage error={new TypeError(message)} />)
  expect(screen.getByRole('heading', { name: 'Loading failed' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Retry' })).toBeTruthy()
  expect(server.calls).toEqual([])
})

test('a page that throws says so, offers a reload, and reports it to the service', async () => {
  const server = stubServer({ 'log.report': () => ({}) })
  render(<CrashPage error={new Error('x is undefined')} />)
  expect(screen.getByText(/x is undefined/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  await expect.poll(() => server.callsOf('log.report')).toHaveLength(1)
  expect(JSON.stringify(server.callsOf('log.report'))).toContain('x is undefined')
})
