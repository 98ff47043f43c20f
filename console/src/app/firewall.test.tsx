import { FIREWALL_MESSAGES, type FirewallRule, type FirewallTrial } from '@boathouse/contract/firewall'
import type { UserInfo } from '@boathouse/contract/user'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import './pages/security-route.tsx'
import { callEvents } from '../lib/api.ts'
import { forgetTrial } from '../lib/firewall-trial.ts'
import { refuse } from '../testing/stub-server.ts'
import type { StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, type RenderedApp, signedIn } from './testing/render-app.tsx'

const PAGE = '/local-1/ABC12345/admin/security?tab=firewall'
const GUARD: UserInfo = { ...ADA, creator: 'grace', activeRoles: ['security_admin'] }
const OWN = '203.0.113.7'
const OFFICE: FirewallRule = {
  ruleId: '018f0000-0000-7000-8000-000000000001',
  name: 'Office',
  type: 'all',
  addresses: '198.51.100.0/24',
  enabled: false,
}
const TRIAL: FirewallTrial = { leftMs: 45_000, ruleName: 'Office', user: 'grace', clientIp: '192.0.2.1' }

/** A service that keeps what is changed, and cuts off nobody. */
function openPage(rules: readonly FirewallRule[], over: StubHandlers = {}) {
  const kept = { rules: [...rules] }
  signedIn(GUARD)
  onTestFinished(() => {
    forgetTrial()
    callEvents.emit({ type: 'ipClear' })
  })
  const app = renderApp(PAGE, {
    'user.info': () => GUARD,
    'firewall.rules': () => ({ clientIp: OWN, privateEndpoint: null, rules: kept.rules, trial: null }),
    'firewall.createRule': (draft) => {
      kept.rules = [...kept.rules, { ruleId: OFFICE.ruleId, ...draft }]
      return { ruleId: OFFICE.ruleId, trial: null }
    },
    'firewall.updateRule': ({ ruleId, enabled = false }) => {
      kept.rules = kept.rules.map((rule) => (rule.ruleId === ruleId ? { ...rule, enabled } : rule))
      return { trial: null }
    },
    'firewall.deleteRule': ({ ruleId }) => {
      kept.rules = kept.rules.filter((rule) => rule.ruleId !== ruleId)
      return { trial: null }
    },
    ...over,
  })
  return app
}

const press = async ({ user }: RenderedApp, name: string) =>
  user.click(await screen.findByRole('button', { name }))
const dialog = (name: string) => screen.findByRole('dialog', { name })
async function fill({ user }: RenderedApp, name: string, text: string): Promise<void> {
  const field = screen.getByLabelText<HTMLInputElement>(name, { selector: 'input' })
  await user.clear(field)
  await user.click(field)
  await user.paste(text)
}

test('the page shows your address, and that all addresses are allowed without a rule [SEC-06]', async () => {
  openPage([])
  expect(await screen.findByText(OWN)).toBeTruthy()
  expect(screen.getByText('Off: all addresses have access')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'No rules yet' })).toBeTruthy()
})

test('a rule needs a name and valid addresses, and is shown once it is made [SEC-04, SEC-08, SEC-09]', async () => {
  const app = openPage([])
  await press(app, 'Create rule')
  await dialog('Create rule')
  await press(app, 'Save rule')
  expect(await screen.findByText(FIREWALL_MESSAGES.ruleName)).toBeTruthy()
  expect(screen.getByText(FIREWALL_MESSAGES.addresses)).toBeTruthy()
  expect(app.server.callsOf('firewall.createRule')).toEqual([])
  await fill(app, 'Name', 'Home')
  await press(app, 'Add my address')
  await press(app, 'Save rule')
  const table = await screen.findByRole('table', { name: 'Rules' })
  expect(within(table).getByText('Home')).toBeTruthy()
  expect(within(table).getByText(OWN)).toBeTruthy()
  expect(within(table).getByText('Enabled')).toBeTruthy()
  expect(screen.getByText('On: only listed addresses have access')).toBeTruthy()
  expect(app.server.callsOf('firewall.createRule')).toEqual([
    { name: 'Home', type: 'all', addresses: OWN, enabled: true },
  ])
})

test('who is not in the list is warned, and can still save [SEC-13, SEC-14]', async () => {
  const app = openPage([])
  await press(app, 'Create rule')
  const form = await dialog('Create rule')
  await fill(app, 'Allowed addresses', OFFICE.addresses)
  expect(within(form).getByRole('status').textContent).toContain(`${OWN} loses access`)
  await app.user.click(within(form).getByRole('switch'))
  expect(within(form).getByRole('status').textContent).toBe(`Your IP address ${OWN} is not in this list.`)
  await press(app, 'Add my address')
  expect(within(form).queryByRole('status')).toBeNull()
})

test('another enabled rule that lets one in is named as the reason not to worry [SEC-13]', async () => {
  const app = openPage([{ ...OFFICE, name: 'Home', addresses: `${OWN}/32`, enabled: true }])
  await press(app, 'Create rule')
  const form = await dialog('Create rule')
  await fill(app, 'Allowed addresses', OFFICE.addresses)
  expect(within(form).getByRole('status').textContent).toContain('Another enabled rule gives you access.')
})

test('a rule is enabled, disabled and deleted, each after a word on who has access then', async () => {
  const rule = { ...OFFICE, addresses: OWN }
  const app = openPage([rule])
  await press(app, 'Enable Office')
  expect((await dialog('Enable rule Office?')).textContent).toContain(`Yours, ${OWN}, is one of them.`)
  await press(app, 'Enable rule')
  await press(app, 'Disable Office')
  expect((await dialog('Disable rule Office?')).textContent).toContain('users can sign in from any address')
  await press(app, 'Disable rule')
  await press(app, 'Delete Office')
  await dialog('Delete rule Office?')
  expect(app.server.callsOf('firewall.deleteRule')).toEqual([])
  await press(app, 'Delete rule')
  expect(await screen.findByRole('heading', { name: 'No rules yet' })).toBeTruthy()
})

test('a refusal of the service is shown in place, and nothing typed is lost [SEC-11]', async () => {
  const message = `addresses: ${FIREWALL_MESSAGES.addresses}`
  const app = openPage([], { 'firewall.createRule': () => refuse('BadInput', message) })
  await press(app, 'Create rule')
  const form = await dialog('Create rule')
  await fill(app, 'Name', 'Office')
  await fill(app, 'Allowed addresses', '10.0.0.0/33')
  await press(app, 'Save rule')
  expect((await within(form).findByRole('alert')).textContent).toBe(message)
  expect(screen.getByLabelText<HTMLInputElement>('Allowed addresses').value).toBe('10.0.0.0/33')
})

test('a change that waits to be confirmed counts down, and is kept or reverted', async () => {
  const app = openPage([OFFICE], {
    'firewall.rules': () => ({ clientIp: OWN, privateEndpoint: null, rules: [OFFICE], trial: TRIAL }),
    'firewall.confirmChange': () => ({}),
    'firewall.takeBackChange': () => ({}),
  })
  const asked = await dialog('Keep firewall change?')
  expect(asked.textContent).toContain('grace changed the rule Office from 192.0.2.1')
  expect(within(asked).getByRole('timer').textContent).toMatch(/^The change is reverted in 4\d seconds/)
  await press(app, 'Keep change')
  expect(await screen.findByText('Firewall change kept.')).toBeTruthy()
  expect(app.server.callsOf('firewall.confirmChange')).toHaveLength(1)
})

test('users who have cut off themselves see for how long, and continue when it is reverted [SHELL-94, SHELL-96]', async () => {
  const state = { blocked: false }
  const unlessBlocked = <T,>(answer: T) => (state.blocked ? refuse('IpBlocked', `… from ${OWN}.`) : answer)
  const app = openPage([OFFICE], {
    'user.info': () => unlessBlocked(GUARD),
    'firewall.rules': () =>
      unlessBlocked({ clientIp: OWN, privateEndpoint: null, rules: [OFFICE], trial: null }),
    'firewall.updateRule': () => {
      state.blocked = true
      return { trial: { ...TRIAL, leftMs: 1_500 } }
    },
  })
  await press(app, 'Enable Office')
  expect((await dialog('Enable rule Office?')).textContent).toContain(`${OWN} loses access`)
  await press(app, 'Enable rule')
  expect(await screen.findByRole('heading', { name: 'Your IP address is blocked' })).toBeTruthy()
  expect((await screen.findByRole('timer')).textContent).toMatch(/reverted in [0-2] second/)
  state.blocked = false
  await waitFor(() => expect(screen.queryByRole('timer')).toBeNull())
  expect(await screen.findByText('Your firewall change was reverted.')).toBeTruthy()
  expect(await screen.findByText('Off: all addresses have access')).toBeTruthy()
})

test('rules that cannot be read are loaded again; without the permission the page says so', async () => {
  const state = { fails: true }
  const app = openPage([], {
    'firewall.rules': () =>
      state.fails ? refuse('Internal', 'It was logged.') : refuse('NoPermission', 'This needs a role.'),
  })
  expect(await screen.findByText('The firewall rules could not be read')).toBeTruthy()
  state.fails = false
  await press(app, 'Retry')
  expect(await screen.findByText('You cannot see the firewall')).toBeTruthy()
  expect(screen.getByText('This needs a role.')).toBeTruthy()
})

test('to who came by a private link the rules do not apply, and nothing warns of their own address', async () => {
  const app = openPage([OFFICE], {
    'firewall.rules': () => ({
      clientIp: '10.20.0.7',
      privateEndpoint: 'vpce-0a1b2c3d4e5f67890',
      rules: [OFFICE],
      trial: null,
    }),
  })
  expect(await screen.findByText(/through the private endpoint vpce-0a1b2c3d4e5f67890/)).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Edit Office' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByLabelText(/Allowed addresses/)).toBeTruthy()
  expect(dialog.queryByText(/10\.20\.0\.7/)).toBeNull()
})
