import type { AlertDelivery, AlertRule } from '@boathouse/contract/alert'
import type { Output } from '@boathouse/contract/call'
import type { payment } from '@boathouse/contract/payment'
import type { usage } from '@boathouse/contract/usage'
import type { UserInfo } from '@boathouse/contract/user'
import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import './pages/usage-route.tsx'
import './shell/shell-layout.tsx'
import { session } from '../lib/session.ts'
import { refuse, type StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, signedIn } from './testing/render-app.tsx'

const RULE: AlertRule = {
  ruleId: '7f9c0a52-5a5e-4e0e-9b5b-0b1c2d3e4f50',
  name: 'failures',
  event: 'statement.failed',
  warehouseId: null,
  warehouse: null,
  ownOnly: true,
  users: ['ada'],
  url: 'https://hooks.example.com/a-key',
  enabled: true,
  createdAt: '2026-01-01T00:00:00Z',
  createdBy: 'ada',
}

const DELIVERY: AlertDelivery = {
  deliveryId: '019a0000-0000-7000-8000-000000000000',
  ruleId: RULE.ruleId,
  event: 'statement.failed',
  state: 'failed',
  attempts: 11,
  mailedTo: 1,
  createdAt: '2026-01-02T00:00:00Z',
  endedAt: '2026-01-03T00:00:00Z',
  nextAttemptAt: null,
  status: 503,
  answer: 'come back later',
  error: 'It answers with the status 503.',
  body: '{"type":"statement.failed"}',
}

const BOSS: UserInfo = { ...ADA, isOrgAdmin: true, activeRoles: ['account_admin', 'public'] }

const summary: Output<typeof usage.summary> = {
  isRoot: true,
  total: { chargedSeconds: 0, ccu: '0', usd: '0.00' },
  days: [],
  accounts: [],
  warehouses: [],
  storage: { gbMonths: '0.000000', usd: '0.000000' },
  totalUsd: '0.000000',
}

const overview: Output<typeof payment.overview> = {
  organisation: 'Demo organisation',
  month: '2026-11',
  nextBillingAt: '2026-12-01T00:00:00.000Z',
  monthToDate: { ccu: '0', usd: '0.00' },
  forecastUsd: '0.00',
  ccuBalance: '0.000',
  paymentType: 'direct',
  discountPercent: '0',
  trialCredit: null,
  card: null,
  paymentEnabled: true,
  mayBindCard: false,
}

beforeEach(() => session.end())

function open(handlers: StubHandlers = {}) {
  signedIn(BOSS)
  return renderApp('/local-1/ABC12345/admin/usage-and-billing?tab=alerts', {
    'user.info': () => BOSS,
    'usage.summary': () => summary,
    'payment.overview': () => overview,
    'alert.list': () => ({ rules: [RULE] }),
    ...handlers,
  })
}

const rules = async () => within(await screen.findByRole('table', { name: 'Alert rules' }))

test('a rule shows what it is about and whom it notifies, and nothing of the address but its host', async () => {
  open()
  const table = await rules()
  expect(table.getByText('Statement failed · Only mine')).toBeTruthy()
  expect(table.getByText('ada, hooks.example.com')).toBeTruthy()
  expect(screen.queryByText(/a-key/)).toBeNull()
})

test('rules that cannot be read say so, and are asked for again', async () => {
  let asked = 0
  const app = open({
    'alert.list': () => (asked++ === 0 ? refuse('Unavailable', 'The database is away.') : { rules: [] }),
  })
  expect(await screen.findByText('The alert rules could not be read')).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('No alert rules yet')).toBeTruthy()
})

test('a user without the role sees that it is missing', async () => {
  open({ 'alert.list': () => refuse('NoPermission', 'You need the role account_admin.') })
  expect(await screen.findByText('You cannot see alert rules')).toBeTruthy()
  expect(screen.getByText('You need the role account_admin.')).toBeTruthy()
})

test('the log says why a delivery failed and sends it again', async () => {
  const again: unknown[] = []
  const app = open({
    'alert.deliveries': () => ({ deliveries: [DELIVERY], nextCursor: null }),
    'alert.redeliver': (input) => {
      again.push(input)
      return { delivery: DELIVERY }
    },
  })
  await rules()
  await app.user.click(screen.getByRole('button', { name: 'Actions for failures' }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Deliveries' }))
  const log = within(await screen.findByRole('dialog', { name: 'Deliveries of failures' }))
  expect(await log.findByText('It answers with the status 503.')).toBeTruthy()
  expect(log.getByText(/11 attempts · Mailed to 1 user · Status 503/)).toBeTruthy()
  await app.user.click(log.getByRole('button', { name: 'Send again' }))
  expect(await screen.findByText('The notification is sent again.')).toBeTruthy()
  expect(again).toEqual([{ deliveryId: DELIVERY.deliveryId }])
})

test('who is mailed is chosen from the users of the account; one without a mail address cannot be', async () => {
  const saved: unknown[] = []
  const person = (user: string, email: string) => ({
    user,
    email,
    isService: email === '',
    isInvited: false,
    isCreator: false,
    roles: [],
    createdAt: '2026-01-01T00:00:00Z',
    lastUsedAt: null,
  })
  const app = open({
    'perms.listUsers': ({ search }) => {
      const list = [person('ada', 'ada@example.com'), person('bob', 'bob@example.com'), person('robot', '')]
      return { list: list.filter(({ user }) => user.includes(search ?? '')), total: 3 }
    },
    'alert.update': (input) => {
      saved.push(input)
      return { rule: RULE, secret: null }
    },
  })
  await rules()
  await app.user.click(screen.getByRole('button', { name: 'Actions for failures' }))
  await app.user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit failures' }))
  const chosen = () =>
    within(dialog.getByRole('list', { name: 'Mail to' }))
      .getAllByRole('listitem')
      .map((one) => one.textContent)
  expect(chosen()).toEqual(['ada'])
  await app.user.click(dialog.getByRole('combobox', { name: 'Mail to' }))
  const robot = await screen.findByRole('option', { name: /robot/, hidden: true })
  expect(robot.getAttribute('aria-disabled')).toBe('true')
  expect(screen.queryByRole('option', { name: /ada/, hidden: true })).toBeNull()
  await app.user.click(screen.getByRole('option', { name: /bob/, hidden: true }))
  expect(chosen()).toEqual(['ada', 'bob'])
  await app.user.click(dialog.getByRole('button', { name: 'Remove ada' }))
  await app.user.click(dialog.getByRole('button', { name: 'Save rule' }))
  expect(await screen.findByText('Rule saved.')).toBeTruthy()
  expect(saved).toMatchObject([{ users: ['bob'] }])
})
