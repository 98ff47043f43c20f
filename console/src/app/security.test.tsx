import { IDENTITY_MESSAGES } from '@boathouse/contract/identity-messages'
import { MESSAGES } from '@boathouse/contract/rules'
import type { SsoSettings } from '@boathouse/contract/sso'
import type { UserInfo } from '@boathouse/contract/user'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import './pages/security-route.tsx'
import { refuse } from '../testing/stub-server.ts'
import type { StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, type RenderedApp, signedIn } from './testing/render-app.tsx'

const PAGE = '/local-1/ABC12345/admin/security'
const GUARD: UserInfo = { ...ADA, creator: 'grace', activeRoles: ['security_admin'] }
const REDIRECT = 'https://data.example.com/sso-redirect'
const KNOWN: SsoSettings = { issuer: 'https://issuer.example', clientId: 'boathouse', enabled: true }

/** A service that keeps what is saved. */
function openPage(settings: SsoSettings | null, over: StubHandlers = {}, user = GUARD) {
  const kept = { settings }
  signedIn(user)
  const app = renderApp(PAGE, {
    'user.info': () => user,
    'sso.settings': () => ({ settings: kept.settings, redirectUri: REDIRECT }),
    'sso.saveSettings': ({ issuer, clientId, enabled }) => {
      kept.settings = { issuer, clientId, enabled }
      return {}
    },
    'sso.deleteSettings': () => {
      kept.settings = null
      return {}
    },
    ...over,
  })
  return app
}
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name, { selector: 'input' })
async function fill({ user }: RenderedApp, name: string, text: string): Promise<void> {
  await user.clear(await field(name))
  await user.click(await field(name))
  await user.paste(text)
}
const save = () => screen.getByRole('button', { name: 'Save settings' })

test('without the role there is neither the page nor its place in the menu [SHELL-28, ROLE-10, ROLE-12]', async () => {
  const app = openPage(null, {}, { ...GUARD, activeRoles: ['db_admin'] })
  expect(await screen.findByText(MESSAGES.noPermission)).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Security settings' })).toBeNull()
  expect(app.server.callsOf('sso.settings')).toEqual([])
})

test('an account without single sign-on says so, and what the issuer has to know [SHELL-28, ROLE-10]', async () => {
  openPage(null)
  await screen.findByRole('heading', { name: 'Security settings' })
  expect(screen.getByRole('link', { name: 'Security settings' })).toBeTruthy()
  expect(await screen.findByText('Not set up')).toBeTruthy()
  expect(screen.getByText(REDIRECT)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Remove' })).toBeNull()
})

test('a mistake is shown at its field, and nothing is sent', async () => {
  const app = openPage(null)
  await fill(app, 'Issuer', 'issuer.example')
  await app.user.click(save())
  expect(await screen.findByText(MESSAGES.correctValue)).toBeTruthy()
  expect(screen.getByText(MESSAGES.enter('client ID'))).toBeTruthy()
  expect(screen.getByText(MESSAGES.enter('client secret'))).toBeTruthy()
  expect(document.activeElement).toBe(await field('Issuer'))
  expect(app.server.callsOf('sso.saveSettings')).toEqual([])
})

test('settings are saved with their secret, which is then kept and never shown', async () => {
  const app = openPage(null)
  await fill(app, 'Issuer', KNOWN.issuer)
  await fill(app, 'Client ID', KNOWN.clientId)
  await fill(app, 'Client secret', 'tell-nobody')
  await app.user.click(save())
  expect(await screen.findByText('On')).toBeTruthy()
  expect(app.server.callsOf('sso.saveSettings')).toEqual([{ ...KNOWN, clientSecret: 'tell-nobody' }])
  await waitFor(async () => expect((await field('Client secret')).value).toBe(''))

  await app.user.click(screen.getByRole('switch', { name: 'Offer single sign-on at sign-in' }))
  await app.user.click(save())
  expect(await screen.findByText('Off')).toBeTruthy()
  expect(app.server.callsOf('sso.saveSettings').at(-1)).toEqual({ ...KNOWN, enabled: false })
})

test('another issuer does not get the secret of the earlier one', async () => {
  const app = openPage(KNOWN)
  await fill(app, 'Issuer', 'https://other.example')
  await app.user.click(save())
  expect(await screen.findByText(MESSAGES.enter('client secret'))).toBeTruthy()
  expect(app.server.callsOf('sso.saveSettings')).toEqual([])
})

test('an issuer that does not answer is reported in place, and nothing typed is lost', async () => {
  const app = openPage(KNOWN, { 'sso.saveSettings': () => refuse('SsoFailed', IDENTITY_MESSAGES.ssoFailed) })
  await fill(app, 'Client secret', 'tell-nobody')
  await app.user.click(save())
  expect((await screen.findByRole('alert')).textContent).toBe(IDENTITY_MESSAGES.ssoFailed)
  expect((await field('Client secret')).value).toBe('tell-nobody')
})

test('single sign-on is removed after a question', async () => {
  const app = openPage(KNOWN)
  await app.user.click(await screen.findByRole('button', { name: 'Remove' }))
  const dialog = await screen.findByRole('dialog', { name: 'Remove single sign-on?' })
  expect(app.server.callsOf('sso.deleteSettings')).toEqual([])
  await app.user.click(within(dialog).getByRole('button', { name: 'Remove settings' }))
  expect(await screen.findByText('Not set up')).toBeTruthy()
  await waitFor(async () => expect((await field('Issuer')).value).toBe(''))
})

test('what was typed is there again after a look at another page, but for the secret', async () => {
  const app = openPage(KNOWN)
  await fill(app, 'Client ID', 'half-typed')
  await fill(app, 'Client secret', 'not to be kept')
  await app.router.navigate({ href: '/local-1/ABC12345/home' })
  await screen.findByRole('button', { name: /^Create query/ })
  await app.router.navigate({ href: PAGE })
  expect((await field('Client ID')).value).toBe('half-typed')
  expect((await field('Client secret')).value).toBe('')
})

test('what one user has typed is not shown to another', async () => {
  openPage(KNOWN, {}, { ...GUARD, user: 'grace' })
  expect((await field('Client ID')).value).toBe(KNOWN.clientId)
})
