import { act, screen, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { callEvents } from '../lib/api.ts'
import { renderApp, signedIn } from './testing/render-app.tsx'

function nameContact(contact: string): void {
  const meta = document.createElement('meta')
  meta.name = 'boathouse-support'
  meta.content = contact
  document.head.append(meta)
  onTestFinished(() => meta.remove())
}

async function timedOut(): Promise<HTMLElement> {
  signedIn()
  renderApp('/local-1/ABC12345/home')
  await screen.findByRole('heading', { name: /^Welcome/ })
  act(() => callEvents.emit({ type: 'relogin' }))
  return screen.findByRole('dialog', { name: 'Login timed out' })
}

test('a dialog shows the support address that the operator named, to write to [LIMIT-06, LIMIT-07]', async () => {
  nameContact('help@example.com')
  const dialog = await timedOut()
  const link = within(dialog).getByRole('link', { name: 'help@example.com' })
  expect(link.getAttribute('href')).toBe('mailto:help@example.com')
  expect(link.parentElement?.textContent).toBe('Need help? help@example.com')
})

test('a contact that is a sentence is shown as it is', async () => {
  nameContact('Ask at the front desk.')
  const dialog = await timedOut()
  expect(within(dialog).getByText('Need help? Ask at the front desk.')).toBeTruthy()
  expect(within(dialog).queryByRole('link')).toBeNull()
})

test('without a contact nothing is loaded', async () => {
  expect((await timedOut()).textContent).not.toContain('Need help?')
})

test('the page for a blocked address shows it too [LIMIT-06]', async () => {
  nameContact('help@example.com')
  signedIn()
  renderApp('/local-1/ABC12345/home')
  await screen.findByRole('heading', { name: /^Welcome/ })
  act(() => callEvents.emit({ type: 'ipBlocked', ip: '203.0.113.7' }))
  onTestFinished(() => callEvents.emit({ type: 'ipClear' }))
  expect(await screen.findByRole('link', { name: 'help@example.com' })).toBeTruthy()
})
