import type { AuditEntry } from '@boathouse/contract/audit'
import { MESSAGES } from '@boathouse/contract/rules'
import type { UserInfo } from '@boathouse/contract/user'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
// Loaded beforehand: the console loads them when they are needed, and the first time takes long.
import '../features/security/audit/audit-tab.tsx'
import './pages/security-route.tsx'
import { refuse } from '../testing/stub-server.ts'
import type { StubHandlers } from '../testing/stub-server.ts'
import { ADA, renderApp, signedIn } from './testing/render-app.tsx'

const PAGE = '/local-1/ABC12345/admin/security?tab=audit'
const GUARD: UserInfo = { ...ADA, creator: 'grace', activeRoles: ['security_admin'], perms: ['audit:view'] }
const HASH = 'ab'.repeat(32)

const entry = (number: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  number,
  at: '2026-03-01T09:00:00.000Z',
  actor: { kind: 'user', name: 'grace', clientIp: '10.0.0.7' },
  action: 'role.update',
  objectType: 'role',
  objectId: 'r1',
  objectName: 'crew',
  changes: [
    { field: 'comment', before: 'rows', after: 'rows and steers' },
    { field: 'owner', before: null, after: 'ada' },
  ],
  isCut: false,
  statement: null,
  ...more,
})

function openPage(over: StubHandlers = {}, user = GUARD) {
  signedIn(user)
  return renderApp(PAGE, {
    'user.info': () => user,
    'audit.list': () => ({ entries: [entry(7)], next: null, searchedTo: null }),
    'audit.objectTypes': () => ({ objectTypes: ['role', 'user'] }),
    'audit.detail': ({ number }) => ({
      entry: entry(number),
      text: `{"number":${number}}`,
      hash: HASH,
      previous: '0'.repeat(64),
    }),
    ...over,
  })
}

test('without the role there is no log, and nothing is loaded [SEC-01, ROLE-10]', async () => {
  const app = openPage({}, { ...GUARD, activeRoles: ['db_admin'] })
  expect(await screen.findByText(MESSAGES.noPermission)).toBeTruthy()
  expect(app.server.callsOf('audit.list')).toEqual([])
})

test('a user who is refused later sees that, and which role is missing', async () => {
  openPage({ 'audit.list': () => refuse('NoPermission', 'Activate the role security_admin.') })
  expect(await screen.findByText('Activate the role security_admin.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Verify log' })).toBeNull()
})

test('a row shows time, actor, object and what changed, before and after [SEC-01, SEC-02, SEC-03]', async () => {
  openPage()
  const table = await screen.findByRole('table', { name: 'Entries of the audit log' })
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map(({ textContent }) => textContent),
  ).toEqual(['Time', 'Actor', 'Action', 'Object type', 'Object name', 'Changelog', 'Details'])
  const row = within(table).getAllByRole('row')[1]?.textContent
  for (const text of ['grace', 'role.update', 'crew', 'comment', 'rows and steers', 'owner'])
    expect(row).toContain(text)
  expect(within(table).getAllByRole('deletion')).toHaveLength(1)
})

test('the list is narrowed, and more is loaded after what is shown [SEC-03]', async () => {
  const app = openPage({
    'audit.list': ({ after }) =>
      after === undefined
        ? { entries: [entry(7)], next: 'here', searchedTo: null }
        : { entries: [entry(6)], next: null, searchedTo: null },
  })
  await app.user.click(await screen.findByRole('button', { name: 'Show more' }))
  expect(await screen.findByRole('button', { name: 'Details of entry 6' })).toBeTruthy()
  expect(app.server.callsOf('audit.list').at(-1)).toEqual({ limit: 50, after: 'here' })
  await app.user.click(screen.getByLabelText('Search entries'))
  await app.user.paste('steers')
  await app.user.click(screen.getByLabelText('Actor'))
  await app.user.paste('grace')
  await app.user.click(screen.getByRole('combobox', { name: 'Object type' }))
  await app.user.click(await screen.findByRole('option', { name: 'role' }))
  const narrowed = { limit: 50, text: 'steers', actor: 'grace', objectType: 'role' }
  await waitFor(() => expect(app.server.callsOf('audit.list').at(-1)).toEqual(narrowed))
})

test('nothing found, an empty log and a failure say so', async () => {
  let answer: StubHandlers['audit.list'] = () => refuse('Internal', 'The disk is gone.')
  const app = openPage({ 'audit.list': (input) => answer?.(input) ?? refuse('Internal', '') })
  expect(await screen.findByText('The disk is gone.')).toBeTruthy()
  answer = () => ({ entries: [], next: null, searchedTo: null })
  await app.user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('No entries yet')).toBeTruthy()
  await app.user.click(screen.getByLabelText('Search entries'))
  await app.user.paste('nothing')
  expect(await screen.findByText('No entries found')).toBeTruthy()
})

test('an entry opens whole, with its hash; verified it is only after the chain was checked', async () => {
  const steps = [
    { checked: 5, head: HASH, total: 9, problem: null },
    { checked: 9, head: HASH, total: 9, problem: null },
  ]
  const app = openPage({ 'audit.verify': () => steps.shift() ?? refuse('Internal', 'no more') })
  await app.user.click(await screen.findByRole('button', { name: 'Details of entry 7' }))
  const drawer = await screen.findByRole('dialog', { name: 'Entry 7' })
  expect(await within(drawer).findByText(HASH)).toBeTruthy()
  expect(within(drawer).getByText('{"number":7}')).toBeTruthy()
  expect(within(drawer).getByText('Not verified since you opened this page')).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Verify log' }))
  expect(await screen.findByText(/all 9 entries are intact/)).toBeTruthy()
  expect(within(drawer).getByText(/^Verified at [-\d :]+ UTC\S*$/)).toBeTruthy()
  expect(app.server.callsOf('audit.verify')).toEqual([{ checked: 0 }, { checked: 5, head: HASH }])
})

test('a changed chain is reported, and so is a check that did not complete', async () => {
  const answers = [
    refuse('Unavailable', 'Not now.'),
    { checked: 2, head: HASH, total: 9, problem: 'Entry 3 says that it is entry 4.' },
  ]
  const app = openPage({ 'audit.verify': () => answers.shift() ?? refuse('Internal', '') })
  await app.user.click(await screen.findByRole('button', { name: 'Verify log' }))
  expect(await screen.findByText('The log could not be verified: Not now.')).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Verify again' }))
  expect(
    await screen.findByText('The log was changed after it was written: Entry 3 says that it is entry 4.'),
  ).toBeTruthy()
})

test('the log is downloaded page after page, a line for each entry', async () => {
  const saved: Blob[] = []
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((log) => {
    saved.push(log as Blob)
    return 'blob:log'
  })
  const revoke = vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
  const app = openPage({
    'audit.texts': ({ after }) =>
      after === 0
        ? { texts: ['{"number":1}', '{"number":2}'], next: 2 }
        : { texts: ['{"number":3}'], next: null },
  })
  await app.user.click(await screen.findByRole('button', { name: 'Download log' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(await saved[0]?.text()).toBe('{"number":1}\n{"number":2}\n{"number":3}\n')
  for (const spy of [create, revoke, click]) spy.mockRestore()
})
