import { decodePassword } from '@boathouse/contract/rules'
import { screen, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/access-routes.tsx'
import './pages/account-route.tsx'
import './pages/confirm-email-page.tsx'
import './pages/reset-password-page.tsx'
import './pages/usage-route.tsx'
import './shell/user-dialogs.tsx'
import { refuse, type StubHandlers } from '../testing/stub-server.ts'
import { findDialog, GRACE, open } from './testing/access-page.tsx'
import { ADA, renderApp, ROOT_ACCOUNT, signedIn } from './testing/render-app.tsx'

const TOKEN = 'x'.repeat(43)
const NOBODY = { ...ADA, email: '' }

/** As a page of an installation without a mail server says it. */
function withoutMailServer() {
  const meta = document.createElement('meta')
  meta.name = 'boathouse-mail'
  meta.content = 'kept'
  document.head.append(meta)
  onTestFinished(() => meta.remove())
}

async function openProfile(handlers: StubHandlers) {
  signedIn(NOBODY)
  const app = renderApp('/local-1/ABC12345/home', { 'user.info': () => NOBODY, ...handlers })
  await app.user.click(await screen.findByRole('button', { name: /User menu/ }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Profile' }))
  const dialog = await findDialog()
  await app.user.click(await dialog.findByRole('button', { name: 'Add mail address' }))
  return { app, form: within(await dialog.findByRole('form', { name: 'Mail address' })), dialog }
}

test('a user without an address adds one in the profile, and learns that the link must be opened', async () => {
  withoutMailServer()
  const { app, form, dialog } = await openProfile({
    'user.requestEmailChange': ({ email }) => ({ mailedTo: email }),
  })
  await app.user.type(form.getByLabelText('New mail address'), 'Ada@Boats.example')
  await app.user.type(form.getByLabelText('Your password'), 'Rowing_2026')
  await app.user.click(form.getByRole('button', { name: 'Send link' }))
  expect(await dialog.findByText(/We sent a link to ada@boats.example/)).toBeTruthy()
  expect(dialog.getByText(/There is no mail server/)).toBeTruthy()
  const [sent] = app.server.callsOf('user.requestEmailChange')
  expect(sent).toMatchObject({ email: 'ada@boats.example' })
  expect(decodePassword((sent as { password: string }).password)).toBe('Rowing_2026')
})

test('a wrong address is reported at its field, a wrong password above the form', async () => {
  const { app, form } = await openProfile({
    'user.requestEmailChange': () => refuse('LoginFailed', 'The current password is wrong.'),
  })
  await app.user.type(form.getByLabelText('New mail address'), 'nothing')
  await app.user.click(form.getByRole('button', { name: 'Send link' }))
  expect(await form.findByText('Enter the correct email')).toBeTruthy()
  expect(app.server.callsOf('user.requestEmailChange')).toEqual([])
  await app.user.type(form.getByLabelText('New mail address'), '@boats.example')
  await app.user.click(form.getByRole('button', { name: 'Send link' }))
  expect(await form.findByText('The current password is wrong.')).toBeTruthy()
})

const LINK = { accountId: 'ABC12345', region: 'local-1', user: 'ada lovelace', email: 'ada@boats.example' }

test('the mailed link says whose address it is, and only the button confirms it', async () => {
  const app = renderApp(`/confirm-email?token=${TOKEN}`, {
    'user.emailChangeLink': () => LINK,
    'user.confirmEmail': () => LINK,
  })
  expect(await screen.findByText(/ada@boats.example becomes the mail address/)).toBeTruthy()
  expect(app.server.callsOf('user.confirmEmail')).toEqual([])
  await app.user.click(screen.getByRole('button', { name: 'Confirm address' }))
  expect(await screen.findByRole('heading', { name: 'Your mail address is confirmed' })).toBeTruthy()
  expect(app.server.callsOf('user.confirmEmail')).toEqual([{ token: TOKEN }])
})

test('a link that is not good says so and leads to the profile', async () => {
  renderApp(`/confirm-email?token=${TOKEN}`, {
    'user.emailChangeLink': () => refuse('LinkUnusable', 'This link was used before.'),
  })
  expect(await screen.findByText('This link was used before.')).toBeTruthy()
  expect(screen.getByText('Request another link in your profile.')).toBeTruthy()
})

test('an administrator sets the address of a user on their page', async () => {
  const app = open('/local-1/ABC12345/admin/access/user/grace', { 'perms.setUserEmail': () => ({}) })
  await app.user.click(await screen.findByRole('button', { name: 'Set mail address' }))
  const dialog = await findDialog()
  expect(dialog.getByText(/grace@boats.example is notified/)).toBeTruthy()
  await app.user.click(dialog.getByRole('button', { name: 'Set mail address' }))
  expect(await dialog.findByText('Enter the email')).toBeTruthy()
  await app.user.type(dialog.getByLabelText('New mail address'), 'g@boats.example')
  await app.user.click(dialog.getByRole('button', { name: 'Set mail address' }))
  expect(await screen.findByText('Mail address of grace set.')).toBeTruthy()
  expect(app.server.callsOf('perms.setUserEmail')).toEqual([{ user: 'grace', email: 'g@boats.example' }])
})

test('on their own page an administrator is led to the profile', async () => {
  const self = { ...GRACE, user: ADA.user }
  open(`/local-1/ABC12345/admin/access/user/${ADA.user}`, { 'perms.describeUser': () => self })
  expect(await screen.findByText('You change your own address in your profile.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Set mail address' })).toBeNull()
})

const ADMIN = {
  ...NOBODY,
  isOrgAdmin: true,
  perms: ['*:*'],
  activeRoles: ['account_admin', 'org_admin', 'user_admin', 'public'],
}

test('who has no address is led to the profile before the deletion of an account', async () => {
  const other = { ...ROOT_ACCOUNT, accountId: 'XYZ98765', name: 'harbour', isRoot: false }
  signedIn(ADMIN)
  const app = renderApp('/local-1/ABC12345/admin/account?account=XYZ98765', {
    'user.info': () => ADMIN,
    'org.listAccount': () => ({ accounts: [ROOT_ACCOUNT, other] }),
    'org.accountDetail': () => ({
      ...other,
      creatorEmail: '',
      administrator: 'grace',
      administratorEmail: '',
      loginPath: '/login',
      mayRelease: true,
    }),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Delete account' }))
  expect(await screen.findByText(/you have no mail address/)).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Add mail address' }))
  expect(await screen.findByRole('dialog', { name: 'User settings' })).toBeTruthy()
})

test('a forgotten password says what a user without an address can do, and that mails are kept', async () => {
  withoutMailServer()
  const app = renderApp('/reset-password?aid=ABC12345', { 'user.requestPasswordReset': () => ({}) })
  await app.user.type(await screen.findByLabelText('Email'), 'ada@boats.example')
  await app.user.click(screen.getByRole('button', { name: 'Send link' }))
  expect(await screen.findByText(/No mail address\?/)).toBeTruthy()
  expect(screen.getByText(/There is no mail server/)).toBeTruthy()
})
