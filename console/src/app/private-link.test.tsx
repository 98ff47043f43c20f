import { MESSAGES } from '@boathouse/contract/rules'
import type { UserInfo } from '@boathouse/contract/user'
import type { VpcEndpoint } from '@boathouse/contract/vpce'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import '../features/security/private-link/private-link-tab.tsx'
import './pages/security-route.tsx'
import { refuse } from '../testing/stub-server.ts'
import type { StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, type RenderedApp, signedIn } from './testing/render-app.tsx'

const PAGE = '/local-1/ABC12345/admin/security?tab=private-link'
const GUARD: UserInfo = {
  ...ADA,
  creator: 'grace',
  activeRoles: ['security_admin'],
  perms: ['privatelink:alter'],
}
const ID = 'vpce-0a1b2c3d4e5f67890'
const WAITING: VpcEndpoint = {
  endpointId: ID,
  awsAccountId: '123456789012',
  region: 'local-1',
  connectionType: 'streaming',
  createdAt: '2026-03-01T09:00:00.000Z',
  creator: 'grace',
  status: 'pending',
  reason: null,
  decidedAt: null,
  addresses: '',
  requestSeenAt: null,
}
const AVAILABLE: VpcEndpoint = { ...WAITING, status: 'available', decidedAt: '2026-03-02T09:00:00.000Z' }
const UNHEARD = /^It seems that we have not received a connection request from your VPC endpoint/

/** A service that records requests. */
function openPage(endpoints: readonly VpcEndpoint[], over: StubHandlers = {}, user = GUARD) {
  let kept = [...endpoints]
  signedIn(user)
  return renderApp(PAGE, {
    'user.info': () => user,
    'vpce.list': () => ({ region: 'local-1', serviceName: null, endpoints: kept }),
    'vpce.create': (draft) => {
      kept = [{ ...WAITING, ...draft }, ...kept]
      return {}
    },
    'vpce.delete': ({ endpointId }) => {
      kept = kept.filter((one) => one.endpointId !== endpointId)
      return {}
    },
    ...over,
  })
}

async function fill({ user }: RenderedApp, name: string, text: string): Promise<void> {
  const field = screen.getByLabelText(name, { selector: 'input' })
  await user.clear(field)
  await user.click(field)
  await user.paste(text)
}

async function openForm(app: RenderedApp) {
  await app.user.click(await screen.findByRole('button', { name: 'Add endpoint' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add VPC endpoint' })
  const submit = () => app.user.click(within(dialog).getByRole('button', { name: 'Submit request' }))
  return { dialog, submit }
}

test('without the role there is no list, and nothing is loaded [ROLE-10]', async () => {
  const app = openPage([], {}, { ...GUARD, activeRoles: ['db_admin'] })
  expect(await screen.findByText(MESSAGES.noPermission)).toBeTruthy()
  expect(app.server.callsOf('vpce.list')).toEqual([])
})

test('a user who is refused later sees that, and a failure can be tried again', async () => {
  const answers = [
    refuse('Internal', 'The disk is gone.'),
    refuse('NoPermission', 'security_admin is missing.'),
  ]
  const app = openPage([], {
    'vpce.list': () => answers.shift() ?? { region: 'local-1', serviceName: null, endpoints: [] },
  })
  expect(await screen.findByText('The disk is gone.')).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('security_admin is missing.')).toBeTruthy()
})

test('the list shows all of an endpoint, the region of the account, and that one waits [SEC-01, SEC-16, SEC-17, SEC-21, SEC-22, SEC-23]', async () => {
  openPage([WAITING])
  const table = await screen.findByRole('table', { name: 'VPC endpoints' })
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'VPC endpoint ID',
    'AWS account ID',
    'Connection type',
    'Created at',
    'Creator',
    'Status',
    'Actions',
  ])
  const row = within(table).getAllByRole('row')[1]?.textContent ?? ''
  for (const text of [ID, '123456789012', 'Streaming', 'grace', 'Pending']) expect(row).toContain(text)
  expect(screen.getByText(/This account is in the region local-1/)).toBeTruthy()
  expect(screen.getByText(UNHEARD).textContent).toContain(ID)
})

test('a decision is shown with its reason, and nothing is reported as missing [SEC-18]', async () => {
  const rejected: VpcEndpoint = {
    ...AVAILABLE,
    endpointId: 'vpce-00000000',
    connectionType: 'sql',
    status: 'rejected',
    reason: 'Not in the contract',
  }
  openPage([AVAILABLE, rejected])
  expect(await screen.findByText('Available')).toBeTruthy()
  expect(screen.getByText('Not in the contract')).toBeTruthy()
  expect(screen.queryByText(UNHEARD)).toBeNull()
})

test('an endpoint is requested; mistakes are shown at their fields, and nothing is sent [SEC-17, SEC-19, SEC-20, SEC-21, SEC-24]', async () => {
  const app = openPage([])
  expect(await screen.findByText('No VPC endpoints yet')).toBeTruthy()
  const { dialog, submit } = await openForm(app)
  await submit()
  expect(within(dialog).getByText('Please enter endpoint ID')).toBeTruthy()
  expect(within(dialog).getByText('Please enter AWS account ID')).toBeTruthy()
  await expect
    .poll(() => document.activeElement)
    .toBe(screen.getByLabelText('VPC endpoint ID', { selector: 'input' }))
  await fill(app, 'VPC endpoint ID', ` ${ID} `)
  await fill(app, 'AWS account ID', '123456789012')
  await fill(app, 'Region of the endpoint', 'eu-west-1')
  await submit()
  expect(within(dialog).getByText(/You entered eu-west-1/)).toBeTruthy()
  expect(app.server.callsOf('vpce.create')).toEqual([])
  await fill(app, 'Region of the endpoint', 'local-1')
  await app.user.click(within(dialog).getByRole('combobox', { name: 'Connection type' }))
  await app.user.click(await screen.findByRole('option', { name: 'Streaming' }))
  await submit()
  expect(await screen.findByText('Pending')).toBeTruthy()
  const sent = { endpointId: ID, awsAccountId: '123456789012', region: 'local-1' }
  expect(app.server.callsOf('vpce.create')).toEqual([{ ...sent, connectionType: 'streaming' }])
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a refusal stays in the form, with what was typed', async () => {
  const app = openPage([AVAILABLE], {
    'vpce.create': () => refuse('NameTaken', 'It is already in the list.'),
  })
  const { dialog, submit } = await openForm(app)
  await fill(app, 'VPC endpoint ID', ID)
  await fill(app, 'AWS account ID', '123456789012')
  await fill(app, 'Region of the endpoint', 'local-1')
  await submit()
  expect((await within(dialog).findByRole('alert')).textContent).toBe('It is already in the list.')
  expect(screen.getByLabelText<HTMLInputElement>('VPC endpoint ID', { selector: 'input' }).value).toBe(ID)
})

test('an endpoint is deleted after a question', async () => {
  const app = openPage([AVAILABLE])
  await app.user.click(await screen.findByRole('button', { name: `Delete ${ID}` }))
  const dialog = await screen.findByRole('dialog', { name: 'Delete VPC endpoint?' })
  expect(app.server.callsOf('vpce.delete')).toEqual([])
  await app.user.click(within(dialog).getByRole('button', { name: 'Delete endpoint' }))
  expect(await screen.findByText('No VPC endpoints yet')).toBeTruthy()
  await waitFor(() => expect(app.server.callsOf('vpce.delete')).toEqual([{ endpointId: ID }]))
})

test('who may look and not alter can neither add nor delete', async () => {
  openPage([AVAILABLE], {}, { ...GUARD, perms: [] })
  const remove = await screen.findByRole<HTMLButtonElement>('button', { name: `Delete ${ID}` })
  expect(remove.disabled).toBe(true)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add endpoint' }).disabled).toBe(true)
})

test('where the cloud says so, the endpoint service and the arrived request are shown', async () => {
  const SERVICE = 'com.amazonaws.vpce.us-east-1.vpce-svc-0123456789abcdef0'
  const app = openPage([], {
    'vpce.list': () => ({
      region: 'local-1',
      serviceName: SERVICE,
      endpoints: [{ ...WAITING, requestSeenAt: '2026-03-01T10:00:00.000Z' }],
    }),
  })
  expect(await screen.findByText(SERVICE)).toBeTruthy()
  expect(screen.getByText(/^Connection request received/)).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Add endpoint' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add VPC endpoint' }))
  expect(dialog.getByText(new RegExp(SERVICE))).toBeTruthy()
})

test('an approved endpoint says for whose addresses it is', async () => {
  openPage([{ ...AVAILABLE, addresses: '10.20.0.0/16' }])
  expect(await screen.findByText(/^Approved at .*, for clients at 10\.20\.0\.0\/16$/)).toBeTruthy()
})
