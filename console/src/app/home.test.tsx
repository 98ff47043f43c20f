import type { QueryEndpoint } from '@boathouse/contract/account'
import { cleanup, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refuse } from '../testing/stub-server.ts'
import { accountDetails, addressOf, renderApp, signedIn, TAB } from './testing/render-app.tsx'

const HOME = '/local-1/ABC12345/home'

function openHome(...handlers: Parameters<typeof renderApp> extends [string, ...infer R] ? R : never) {
  signedIn()
  return renderApp(HOME, ...handlers)
}

const box = (name: RegExp) => screen.findByRole('button', { name })

test('load data opens the page on which files are loaded [HOME-01]', async () => {
  const app = openHome()
  await app.user.click(await box(/^Load data/))
  await expect
    .poll(() => addressOf(app))
    .toBe('/local-1/ABC12345/catalog/catalog-default_catalog-type-Internal/database-main/load')
  expect(app.server.callsOf('editor.createTab')).toEqual([])
})

test('load data leads nowhere for who may not load, and says why', async () => {
  const why = 'This needs CREATE TABLE on the database main.'
  const app = openHome({ 'schema.actions': () => ({ createTable: why }) })
  expect(await screen.findByText(why)).toBeTruthy()
  const load = await box(/^Load data/)
  expect(load.getAttribute('aria-disabled')).toBe('true')
  await app.user.click(load)
  expect(addressOf(app)).toBe(HOME)
})

test('create query opens a new, empty query [HOME-02]', async () => {
  const app = openHome()
  await app.user.click(await box(/^Create query/))
  expect(app.server.callsOf('editor.createTab')).toMatchObject([{ tabName: 'Untitled', sql: '' }])
  await expect.poll(() => addressOf(app)).toContain(`/editor?activeTab=${TAB.tabId}`)
})

test('collaborate copies the sign-in address of the account [HOME-03]', async () => {
  const app = openHome()
  await app.user.click(await box(/^Collaborate/))
  expect(await screen.findByText('Copy succeeded')).toBeTruthy()
  expect(await navigator.clipboard.readText()).toBe(
    `${window.location.origin}/login?step=signin&aid=ABC12345&region=local-1`,
  )
})

test('the account is described by what the service says of it [HOME-04]', async () => {
  openHome()
  const panel = await screen.findByRole('region', { name: 'Account details' })
  expect(await within(panel).findByText('Demo organisation')).toBeTruthy()
  for (const fact of ['Demo', 'ABC12345', 'local · local-1', 'Standard', 'Engine 1.4', '0.1.0'])
    expect(within(panel).getByText(fact)).toBeTruthy()
})

test('learn more leads to what is there [HOME-05]', async () => {
  openHome()
  const panel = await screen.findByRole('region', { name: 'Learn more' })
  const targets = within(panel)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))
  expect(targets).toEqual([
    '/local-1/ABC12345/editor',
    '/local-1/ABC12345/guide/getting-started',
    '/local-1/ABC12345/guide/sql-editor',
    '/local-1/ABC12345/guide/users-and-roles',
    '/api/openapi.json',
  ])
})

const endpointPanel = () => screen.findByRole('region', { name: 'Query endpoint' })
const LISTENING = { ...accountDetails.queryEndpoint, port: 9030, listening: true, absence: null }
const openWith = (more: Partial<QueryEndpoint> = {}) =>
  openHome({
    'account.details': () => ({ ...accountDetails, queryEndpoint: { ...LISTENING, ...more } }),
  })

test.each([
  ['off', 'The query endpoint is switched off'],
  ['starting', 'The query endpoint is starting'],
  ['trouble', 'The query endpoint does not work now'],
] as const)(
  'an endpoint that does not listen (%s) says why and is not offered for copying [HOME-06]',
  async (...row) => {
    const [absence, said] = row
    const queryEndpoint = { ...accountDetails.queryEndpoint, absence }
    openHome({ 'account.details': () => ({ ...accountDetails, queryEndpoint }) })
    const panel = within(await endpointPanel())
    expect(await panel.findByText(said)).toBeTruthy()
    expect(panel.queryByRole('combobox')).toBeNull()
    expect(panel.queryByRole('button', { name: 'Copy' })).toBeNull()
  },
)

test('an endpoint that listens gives help for MySQL, JDBC and others [HOME-07, HOME-08, HOME-09]', async () => {
  const app = openWith({ host: 'db.example.com' })
  const panel = within(await endpointPanel())
  const shown = async (client: string) => {
    await app.user.click(await panel.findByRole('combobox', { name: 'Client' }))
    await app.user.click(await screen.findByRole('option', { name: client, hidden: true }))
    return panel.getByRole('region', { name: client }).textContent
  }
  expect(await shown('mysql, command line')).toBe(
    "mysql -h db.example.com -P 9030 -u 'ABC12345.ada lovelace' -p --ssl-mode=REQUIRED",
  )
  expect(await shown('JDBC (MySQL Connector/J)')).toBe(
    'jdbc:mysql://db.example.com:9030/?user=ABC12345.ada%20lovelace&sslMode=REQUIRED',
  )
  expect(await shown('Other applications')).toBe(
    'Host: db.example.com\nPort: 9030\nUser: ABC12345.ada lovelace',
  )
})

test('the client that was chosen is there the next time, and its line is what is copied', async () => {
  const app = openWith()
  await app.user.click(await screen.findByRole('combobox', { name: 'Client' }))
  await app.user.click(await screen.findByRole('option', { name: 'mariadb, command line', hidden: true }))
  cleanup()
  const again = openWith()
  const panel = within(await endpointPanel())
  await panel.findByRole('region', { name: 'mariadb, command line' })
  await again.user.click(panel.getByRole('button', { name: 'Copy' }))
  expect(await navigator.clipboard.readText()).toBe(
    "mariadb -h localhost -P 9030 -u 'ABC12345.ada lovelace' -p --ssl",
  )
})

test('an endpoint on every address of its machine is reached by the name of this page', async () => {
  openWith({ host: '' })
  const line = await screen.findByRole('region', { name: 'mysql, command line' })
  expect(line.textContent).toContain(`-h ${window.location.hostname} `)
})

test('it is said whether a connection must be encrypted, and whose the certificate is', async () => {
  openWith({ requiresTls: false, ownCertificate: false })
  const panel = within(await endpointPanel())
  expect(await panel.findByText(/These lines encrypt and check the certificate/)).toBeTruthy()
  expect(panel.queryByText(/must be encrypted/)).toBeNull()
  cleanup()
  openWith()
  expect(await screen.findByText(/must be encrypted.*service’s own/)).toBeTruthy()
})

test('an approved private link says by which host, and nothing is said of one that is not there', async () => {
  openWith()
  const panel = within(await endpointPanel())
  await panel.findByRole('combobox', { name: 'Client' })
  expect(panel.queryByText(/VPC/)).toBeNull()
  cleanup()
  openWith({ privateEndpoints: ['vpce-0a1b2c3d4e5f67890'] })
  expect(await screen.findByText(/approved VPC endpoint vpce-0a1b2c3d4e5f67890/)).toBeTruthy()
})

test('with a private listener, the lines have its host and port once Private is chosen [REAL-04]', async () => {
  const app = openWith({
    privateEndpoints: ['vpce-0a1b2c3d4e5f67890'],
    privateAddress: { host: '10.9.0.1', port: 9130 },
  })
  const panel = within(await endpointPanel())
  expect(await panel.findByText(/Choose the private network/)).toBeTruthy()
  expect(panel.queryByText(/10\.9\.0\.1/)).toBeNull()
  await app.user.click(panel.getByRole('radio', { name: 'Private' }))
  expect(panel.getByText(/-h 10\.9\.0\.1 -P 9130/)).toBeTruthy()
  expect(panel.getByText(/Only clients that come through .* vpce-0a1b2c3d4e5f67890/)).toBeTruthy()
  await app.user.click(panel.getByRole('radio', { name: 'Public' }))
  expect(panel.queryByText(/10\.9\.0\.1/)).toBeNull()
})

const RECENT = {
  queries: [{ tabId: TAB.tabId, tabName: 'Revenue of May', changedAt: '2026-01-02T00:00:00Z' }],
  dashboards: [{ dashboardId: 'd1', name: 'Sales', changedAt: '2026-01-02T00:00:00Z' }],
  tables: [
    {
      catalog: 'default_catalog',
      database: 'sample',
      name: 'orders',
      type: 'table' as const,
      usedAt: '2026-01-02T00:00:00Z',
    },
  ],
  running: [
    {
      queryId: 'q1',
      user: 'grace',
      sql: 'select long',
      acceptedAt: '2026-01-02T00:00:00Z',
      progress: 42,
      waits: false,
    },
  ],
  failures: [
    {
      kind: 'pipe' as const,
      id: 'p1',
      name: 'orders_pipe',
      catalog: 'default_catalog',
      databaseName: 'main',
      error: 'No such bucket',
      at: '2026-01-02T00:00:00Z',
    },
  ],
  ofEveryone: true,
}

test('recent work is listed, and each leads to where it is', async () => {
  openHome({ 'home.recent': () => RECENT })
  const hrefIn = async (panel: string, name: string) =>
    (
      await within(await screen.findByRole('region', { name: panel })).findByRole('link', { name })
    ).getAttribute('href')
  expect(await hrefIn('Recent queries', 'Revenue of May')).toContain(`/editor?activeTab=${TAB.tabId}`)
  expect(await hrefIn('Recent tables', 'sample.orders')).toContain('/database-sample/table-orders')
  expect(await hrefIn('Recent dashboards', 'Sales')).toContain('/dashboards/d1')
  expect(await hrefIn('Running now', 'select long')).toContain('q1')
  expect(await hrefIn('Failed loads and pipes', 'orders_pipe')).toContain('/database-main/pipe/orders_pipe')
  expect(screen.getByText('Running, 42 %')).toBeTruthy()
  expect(screen.getByText('No such bucket')).toBeTruthy()
  expect(screen.queryByText(/You see your own/)).toBeNull()
})

test('where there is no recent work, each list says so, and whose it would be', async () => {
  openHome()
  expect(await screen.findByText('No queries yet. Create one to see it here.')).toBeTruthy()
  expect(screen.getByText('No statement runs now.')).toBeTruthy()
  expect(screen.getByText('None of the latest loads and pipes has failed.')).toBeTruthy()
  expect(screen.getAllByText(/You see your own/)).toHaveLength(2)
})

test('recent work that cannot be loaded says why and is tried again; the rest of the page is there', async () => {
  let isDown = true
  const app = openHome({ 'home.recent': () => (isDown ? refuse('Conflict', 'Not now.') : RECENT) })
  expect(await screen.findByText('Not now.')).toBeTruthy()
  expect(await screen.findByRole('region', { name: 'Account details' })).toBeTruthy()
  isDown = false
  await app.user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByRole('link', { name: 'Revenue of May' })).toBeTruthy()
})
