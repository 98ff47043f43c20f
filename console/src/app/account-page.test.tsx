import { IDENTITY_MESSAGES } from '@boathouse/contract/identity-messages'
import { LIFE_CYCLE, LIFE_CYCLE_STATES } from '@boathouse/contract/account-state'
import type { AccountListItem, Trial } from '@boathouse/contract/org'
import { MESSAGES } from '@boathouse/contract/rules'
import type { UserInfo } from '@boathouse/contract/user'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import './pages/account-route.tsx'
import './shell/account/account-dialogs.tsx'
import './shell/user-dialogs.tsx'
import './shell/account/trial-left.tsx'
import { session } from '../lib/session.ts'
import { refuse } from '../testing/stub-server.ts'
import type { StubHandlers } from '../testing/stub-server.ts'
import { ADA, organisation, addressOf, renderApp, ROOT_ACCOUNT, signedIn } from './testing/render-app.tsx'

const PAGE = '/local-1/ABC12345/admin/account'
const OWNER: UserInfo = { ...ADA, isOrgAdmin: true, activeRoles: ['org_admin'] }
const HARBOUR: AccountListItem = {
  ...ROOT_ACCOUNT,
  accountId: 'XYZ98765',
  name: 'harbour',
  creator: 'grace',
  edition: 'lake',
  isRoot: false,
}
const TRIAL: Trial = {
  startedAt: '2026-01-01T10:00:00Z',
  endsAt: '2026-01-31T10:00:00Z',
  days: 30,
  daysLeft: 12,
  usd: 500,
  hasEnded: false,
  dataKeptUntil: null,
}

beforeEach(() => session.end())

function openPage(over: StubHandlers = {}, address = PAGE, user = OWNER) {
  signedIn(user)
  return renderApp(address, {
    'user.info': () => user,
    'org.listAccount': () => ({ accounts: [ROOT_ACCOUNT, HARBOUR] }),
    'org.accountDetail': ({ accountId }) => ({
      ...(accountId === HARBOUR.accountId ? HARBOUR : ROOT_ACCOUNT),
      creatorEmail: 'grace@example.com',
      administrator: 'heidi',
      administratorEmail: 'heidi@example.com',
      loginPath: '/login',
      mayRelease: accountId === HARBOUR.accountId,
    }),
    ...over,
  })
}

async function fill(field: HTMLElement, text: string): Promise<void> {
  const user = userEvent.setup()
  await user.click(field)
  await user.paste(text)
}

test('the page shows the organisation and its accounts, the root one tagged, with their editions by name [ACCOUNT-16, ACCOUNT-18, ACCOUNT-19, ACCOUNT-20, SHELL-27]', async () => {
  openPage()
  expect(await screen.findByRole('heading', { name: 'Org & Account' })).toBeTruthy()
  expect(await screen.findByText('Demo · ABC12345')).toBeTruthy()
  const row = (await screen.findByRole('button', { name: 'Demo' })).closest('tr')
  expect(within(row ?? document.body).getByText('root')).toBeTruthy()
  expect(within(row ?? document.body).getByText('Standard edition')).toBeTruthy()
  expect(screen.getByText('Lake edition')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Org & Account', current: 'page' })).toBeTruthy()
})

test('the detail of an account names its cloud provider, with its logo [ACCOUNT-08, ACCOUNT-10]', async () => {
  const logo = 'data:image/svg+xml,%3Csvg%2F%3E'
  const { user } = openPage({
    'region.list': () => ({
      cspList: [{ cspId: 'local', locales: { 'en-us': { name: 'This machine', logo } } }],
      regionList: [{ regionId: 'local-1', cspId: 'local', locales: { 'en-us': { name: 'Here' } } }],
    }),
  })
  await user.click(await screen.findByRole('button', { name: 'harbour' }))
  const dialog = await screen.findByRole('dialog')
  const place = await within(dialog).findByText('This machine · Here')
  expect(place.querySelector('img')?.getAttribute('src')).toBe(logo)
})

test('each state has its label [ACCOUNT-56, ACCOUNT-57, ACCOUNT-58, ACCOUNT-59, ACCOUNT-60, ACCOUNT-61, ACCOUNT-62, ACCOUNT-63]', async () => {
  const accounts = LIFE_CYCLE.map(({ label }, state) => ({
    ...HARBOUR,
    accountId: `XYZ0000${state}`,
    name: `a${state} ${label}`,
    state,
  }))
  openPage({ 'org.listAccount': () => ({ accounts }) })
  const tones: Record<string, string> = { grey: 'neutral', yellow: 'warn', green: 'ok', red: 'err' }
  for (const { label, tone } of LIFE_CYCLE) {
    const dot = await screen.findByText(label)
    expect([label, dot.dataset['tone']]).toEqual([label, tones[tone]])
  }
})

test('the item is there for organisation admins alone; who comes without the role is refused in place [ROLE-09, SHELL-51]', async () => {
  openPage({}, PAGE, { ...ADA, creator: 'grace' })
  expect(await screen.findByText(MESSAGES.noPermission)).toBeTruthy()
  expect(screen.getByText('This page requires the role org_admin.')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Org & Account' })).toBeNull()
})

test('an account is created with its administrator; mistakes are shown at their fields [ACCOUNT-02, ACCOUNT-21, ACCOUNT-27]', async () => {
  let taken = true
  const app = openPage({
    'org.createAccount': () =>
      taken ? refuse('NameTaken', MESSAGES.accountNameTaken) : { accountId: 'QUA00007' },
  })
  await app.user.click(await screen.findByRole('button', { name: 'Create account' }))
  const dialog = await screen.findByRole('dialog', { name: 'Create account' })
  expect(within(dialog).getByText(/An upgrade is irreversible/)).toBeTruthy()
  const submit = within(dialog).getByRole('button', { name: 'Create account' })
  await app.user.click(submit)
  expect(within(dialog).getByText('Enter the account name')).toBeTruthy()
  expect(document.activeElement).toBe(within(dialog).getByLabelText('Account name'))
  await fill(within(dialog).getByLabelText('Account name'), 'Quay 7')
  await fill(within(dialog).getByLabelText('Administrator user name'), 'ann')
  await fill(within(dialog).getByLabelText('Administrator business email'), 'ann')
  await app.user.click(submit)
  expect(within(dialog).getByText('Enter the correct email')).toBeTruthy()
  await fill(within(dialog).getByLabelText('Administrator business email'), '@quay.example')
  await app.user.click(submit)
  expect(await within(dialog).findByText(MESSAGES.accountNameTaken)).toBeTruthy()
  taken = false
  await app.user.click(submit)
  expect(await screen.findByText(/Setting up account Quay 7/)).toBeTruthy()
  expect(app.server.callsOf('org.createAccount').at(-1)).toEqual({
    name: 'Quay 7',
    edition: 'lake',
    adminName: 'ann',
    adminEmail: 'ann@quay.example',
    sampleData: true,
    engines: 'both',
  })
})

test('the edition of a new account is chosen, with an upgrade notice, and sent as chosen [ACCOUNT-24]', async () => {
  const app = openPage({ 'org.createAccount': () => ({ accountId: 'QUA00007' }) })
  await app.user.click(await screen.findByRole('button', { name: 'Create account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create account' }))
  const notice =
    /Support can upgrade a lake account to the standard edition later. An upgrade is irreversible/
  expect(dialog.getByText(notice)).toBeTruthy()
  await app.user.click(dialog.getByRole('combobox', { name: 'Edition' }))
  const offered = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
  expect(offered).toEqual(['Lake edition', 'Standard edition'])
  await app.user.click(screen.getByRole('option', { name: 'Standard edition' }))
  expect(dialog.queryByText(notice)).toBeNull()
  await fill(dialog.getByLabelText('Account name'), 'Quay 7')
  await fill(dialog.getByLabelText('Administrator user name'), 'ann')
  await fill(dialog.getByLabelText('Administrator business email'), 'ann@quay.example')
  await app.user.click(dialog.getByRole('button', { name: 'Create account' }))
  expect(await screen.findByText(/Setting up account Quay 7/)).toBeTruthy()
  expect(app.server.callsOf('org.createAccount')).toMatchObject([{ edition: 'standard' }])
})

test('the engines of a new account are chosen where clusters are offered', async () => {
  const app = openPage({
    'org.createAccount': () => ({ accountId: 'QUA00007' }),
    'org.detail': () => ({ ...organisation, engines: ['embedded', 'cluster', 'both'] }),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Create account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create account' }))
  await app.user.click(await dialog.findByRole('combobox', { name: 'Warehouses' }))
  await app.user.click(await screen.findByRole('option', { name: 'Clusters only' }))
  await fill(dialog.getByLabelText('Account name'), 'Quay 7')
  await fill(dialog.getByLabelText('Administrator user name'), 'ann')
  await fill(dialog.getByLabelText('Administrator business email'), 'ann@quay.example')
  await app.user.click(dialog.getByRole('button', { name: 'Create account' }))
  expect(await screen.findByText(/Setting up account Quay 7/)).toBeTruthy()
  expect(app.server.callsOf('org.createAccount')).toMatchObject([{ engines: 'cluster' }])
})

const REGIONS = [
  ['local', 'This machine', ['local-1']],
  ['aws', 'AWS', ['eu-1', 'us-1']],
] as const
const providers = REGIONS.map(([cspId, name, ids]) => ({
  cspId,
  locales: { 'en-us': { name } },
  regions: ids.map((regionId) => ({ regionId, locales: { 'en-us': { name: regionId } }, host: '' })),
}))

test('where there are several regions, the provider and the region of a new account are chosen [REAL-05]', async () => {
  const app = openPage({
    'csp.list': () => ({ providers }),
    'org.createAccount': () => ({ accountId: 'QUA00007' }),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Create account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create account' }))
  await app.user.click(await dialog.findByRole('combobox', { name: 'Cloud provider' }))
  await app.user.click(await screen.findByRole('option', { name: 'AWS' }))
  await app.user.click(dialog.getByRole('combobox', { name: 'Region' }))
  const offered = (await screen.findAllByRole('option')).map(({ textContent }) => textContent)
  expect(offered).toEqual(['eu-1', 'us-1'])
  await app.user.click(screen.getByRole('option', { name: 'us-1' }))
  await fill(dialog.getByLabelText('Account name'), 'Quay 7')
  await fill(dialog.getByLabelText('Administrator user name'), 'ann')
  await fill(dialog.getByLabelText('Administrator business email'), 'ann@quay.example')
  await app.user.click(dialog.getByRole('button', { name: 'Create account' }))
  expect(await screen.findByText(/Setting up account Quay 7/)).toBeTruthy()
  expect(app.server.callsOf('org.createAccount')).toMatchObject([{ csp: 'aws', region: 'us-1' }])
})

test('with one region there is nothing to choose', async () => {
  const app = openPage()
  await app.user.click(await screen.findByRole('button', { name: 'Create account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create account' }))
  await expect.poll(() => app.server.callsOf('csp.list')).toHaveLength(1)
  expect(dialog.queryByRole('combobox', { name: 'Region' })).toBeNull()
})

test('when the regions cannot be read, the form says where the account is created', async () => {
  const app = openPage({ 'csp.list': () => refuse('Unavailable', 'down') })
  await app.user.click(await screen.findByRole('button', { name: 'Create account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Create account' }))
  expect(await dialog.findByText(/The other regions could not be read/)).toBeTruthy()
})

test('each account says its edition, and one of the lake edition who upgrades it [ACCOUNT-24]', async () => {
  const app = openPage()
  // Of one that is of the lake edition, the notice says who upgrades it; of another there is nothing to upgrade.
  await app.user.click(await screen.findByRole('button', { name: 'harbour' }))
  const lake = within(await screen.findByRole('dialog', { name: 'Account harbour' }))
  expect(await lake.findByText('Lake edition')).toBeTruthy()
  expect(lake.getByText(/Support handles upgrades to the standard edition/)).toBeTruthy()
  await app.user.keyboard('{Escape}')
  await app.user.click(await screen.findByRole('button', { name: 'Demo' }))
  const standard = within(await screen.findByRole('dialog', { name: 'Account Demo' }))
  expect(await standard.findByText('Standard edition')).toBeTruthy()
  expect(standard.queryByText(/irreversible/)).toBeNull()
})

test('during the free trial no account can be created, and the page says why [ACCOUNT-32]', async () => {
  openPage({ 'org.freeTrialContract': () => ({ trial: TRIAL }) })
  expect(await screen.findByText(IDENTITY_MESSAGES.notInTrial)).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Create account' }).disabled).toBe(true)
  expect(await screen.findByText('Free trial: 12 days left')).toBeTruthy()
})

test('an account has an address of its own, with its facts and the upgrade notice [ACCOUNT-08, ACCOUNT-22, ACCOUNT-25]', async () => {
  const app = openPage()
  await app.user.click(await screen.findByRole('button', { name: 'harbour' }))
  const dialog = await screen.findByRole('dialog', { name: 'Account harbour' })
  expect(addressOf(app)).toContain('account=XYZ98765')
  for (const text of [
    'XYZ98765',
    'Normal',
    'Available',
    'local · local-1',
    'grace',
    'grace@example.com',
    'heidi',
    'heidi@example.com',
  ])
    expect(await within(dialog).findByText(text)).toBeTruthy()
  expect(within(dialog).getByText(/\/login\?step=signin&aid=XYZ98765&region=local-1$/)).toBeTruthy()
  expect(within(dialog).getByText(/An upgrade is irreversible/)).toBeTruthy()
})

test('the root account says that it stays [ACCOUNT-36]', async () => {
  openPage({}, `${PAGE}?account=ABC12345`)
  const dialog = await screen.findByRole('dialog', { name: 'Account Demo' })
  expect(await within(dialog).findByText(IDENTITY_MESSAGES.rootAccountStays)).toBeTruthy()
  expect(within(dialog).queryByRole('button', { name: 'Delete account' })).toBeNull()
})

test('a deletion needs the typed name, then says where the mail went [ACCOUNT-23, ACCOUNT-33, ACCOUNT-34]', async () => {
  const app = openPage(
    { 'org.releaseAccount': () => ({ mailedTo: 'ada@example.com' }) },
    `${PAGE}?account=XYZ98765`,
  )
  await app.user.click(await screen.findByRole('button', { name: 'Delete account' }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete account harbour?' })
  const submit = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Send confirmation mail' })
  await fill(within(dialog).getByLabelText('Type harbour to confirm'), 'Harbour')
  expect(submit.disabled).toBe(true)
  await app.user.clear(within(dialog).getByLabelText('Type harbour to confirm'))
  await fill(within(dialog).getByLabelText('Type harbour to confirm'), 'harbour')
  await app.user.click(submit)
  expect(await screen.findByText(/We sent a link to ada@example.com/)).toBeTruthy()
  expect(app.server.callsOf('org.releaseAccount')).toEqual([{ accountId: 'XYZ98765', phrase: 'harbour' }])
})

test('the mailed link asks for confirmation; an expired link says so [ACCOUNT-34]', async () => {
  let isGood = false
  const app = openPage(
    {
      'org.confirmRelease': () =>
        isGood
          ? { accountId: 'XYZ98765', name: 'harbour' }
          : refuse('LinkUnusable', 'This link has expired.'),
    },
    `${PAGE}?release=a-token`,
  )
  const dialog = await screen.findByRole('dialog', { name: 'Delete account?' })
  expect(app.server.callsOf('org.confirmRelease')).toEqual([])
  await app.user.click(within(dialog).getByRole('button', { name: 'Delete account' }))
  expect(await within(dialog).findByText('This link has expired.')).toBeTruthy()
  isGood = true
  await app.user.click(within(dialog).getByRole('button', { name: 'Delete account' }))
  expect(await screen.findByText('Deleting account harbour.')).toBeTruthy()
  expect(addressOf(app)).not.toContain('release')
})

test('deleted accounts are shown on wish, and the search is in the address [ACCOUNT-41]', async () => {
  const app = openPage({
    'org.listAccount': ({ notFilterDeleted }) => ({
      accounts: notFilterDeleted
        ? [ROOT_ACCOUNT, { ...HARBOUR, state: LIFE_CYCLE_STATES.Deleted }]
        : [ROOT_ACCOUNT],
    }),
  })
  await app.user.click(await screen.findByLabelText('Show deleted'))
  expect(await screen.findByText('Deleted')).toBeTruthy()
  await app.user.type(screen.getByLabelText('Search by name or ID'), 'nowhere')
  expect(await screen.findByText('No accounts match “nowhere”.')).toBeTruthy()
  expect(addressOf(app)).toContain('search=nowhere')
})

test('switch account lists name, id and the root tag, and opens sign-in in a new window [SHELL-64, SHELL-65, SHELL-66, SHELL-67]', async () => {
  const app = openPage({}, '/local-1/ABC12345/home')
  await app.user.click(await screen.findByRole('button', { name: /User menu/ }))
  await app.user.click(await screen.findByText('Switch account'))
  const dialog = await screen.findByRole('dialog', { name: 'Switch account' })
  const link = await within(dialog).findByRole<HTMLAnchorElement>('link', { name: /harbour XYZ98765/ })
  expect(link.getAttribute('href')).toBe('/login?step=signin&aid=XYZ98765&region=local-1')
  expect(link.target).toBe('_blank')
  expect(within(dialog).getByText('root')).toBeTruthy()
  expect(within(dialog).getByText('Current account')).toBeTruthy()
})
