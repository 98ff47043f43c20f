import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '../testing/stub-server.ts'
import { accountDetails, ADA, renderApp, signedIn, NOTHING_RECENT } from './testing/render-app.tsx'

test('a blocked page returns automatically when the block ends, and says so', async () => {
  let blocked = true
  const unlessBlocked = <T,>(answer: T) =>
    blocked ? refuse('IpBlocked', 'IP 203.0.113.7 is blocked') : answer
  signedIn()
  renderApp('/local-1/ABC12345/home', {
    'account.details': () => unlessBlocked({ ...accountDetails }),
    'schema.actions': () => unlessBlocked({}),
    'home.recent': () => unlessBlocked({ ...NOTHING_RECENT }),
    'user.info': () => unlessBlocked(ADA),
    'user.accountInfo': () => unlessBlocked(refuse('Unavailable', 'Not here.')),
    'user.listUnreadMessages': () => unlessBlocked({ messages: [] }),
    'org.freeTrialContract': () => unlessBlocked(refuse('Unavailable', 'Not here.')),
  })
  await screen.findByRole('heading', { name: 'Your IP address is blocked' })
  blocked = false
  fireEvent.focus(window)
  await waitFor(() =>
    expect(screen.queryByRole('heading', { name: 'Your IP address is blocked' })).toBeNull(),
  )
  expect(await screen.findByText('Your IP address has access again.')).toBeTruthy()
})
