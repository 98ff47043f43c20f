import type { Connection, Endpoints, IntegrationRequest } from '@boathouse/contract/integration'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
// Loaded beforehand: the console loads it when it is needed, and the first time takes long.
import './pages/integration-guide-route.tsx'
import './pages/integration-route.tsx'
import type { StubHandlers } from '../testing/stub-server.ts'
import { ADA, addressOf, renderApp, signedIn } from './testing/render-app.tsx'

const PLACE = '/local-1/ABC12345/integration'

const ENDPOINTS: Endpoints = {
  region: 'local-1',
  query: {
    host: 'sql.example.com',
    port: 9030,
    listening: true,
    absence: null,
    requiresTls: true,
    ownCertificate: true,
    privateEndpoints: [],
    privateAddress: null,
  },
  privateQueryHost: null,
  privateQueryPort: null,
  ingest: { scheme: 'https', host: 'ingest.local-1.example.com', port: 443 },
  privateIngest: null,
}

const CAME: Connection = {
  at: '2026-11-17T10:00:00.000Z',
  count: 1,
  isOwn: true,
  user: ADA.user,
  door: 'mysql',
  outcome: 'signedIn',
  clientIp: '192.0.2.7',
  program: 'PyMySQL 1.2.4',
}

function open(page: string, handlers: StubHandlers = {}) {
  signedIn(ADA)
  return renderApp(`${PLACE}${page}`, {
    'user.info': () => ADA,
    'integration.endpoints': () => ENDPOINTS,
    'integration.ownRequests': () => ({ requests: [] }),
    'schema.databases': () => ({ list: [{ name: 'main', databaseId: '1' }], total: 1 }),
    'schema.tables': () => ({ list: [], names: ['boats'], total: 1 }),
    'warehouse.list': () => ({ warehouses: [] }),
    ...handlers,
  })
}

const cards = () =>
  within(screen.getByRole('tabpanel'))
    .getAllByRole('link')
    .map((card) => card.textContent ?? '')

test('the list has a card for every guide, under View all and under its tab [INT-02, INT-03, INT-04, INT-05, SHELL-17]', async () => {
  const app = open('')
  await screen.findByRole('heading', { name: 'Connect to your applications', level: 1 })
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'View all',
    'Cloud',
    'BI Tools',
    'Others',
  ])
  const all = cards().length
  expect(all).toBe(18)
  const ofTab: Record<string, readonly string[]> = {
    Cloud: ['AWS IAM role'],
    'BI Tools': ['Apache Superset', 'Tableau Desktop', 'Querybook', 'Hex', 'Metabase', 'Redash'],
    Others: ['Streaming API', 'dbt', 'Python', 'curl'],
  }
  let sum = 0
  for (const [tab, titles] of Object.entries(ofTab)) {
    await app.user.click(screen.getByRole('tab', { name: tab }))
    for (const title of titles)
      expect(within(screen.getByRole('tabpanel')).getByRole('link', { name: new RegExp(title) })).toBeTruthy()
    sum += cards().length
  }
  expect(sum).toBe(all)
  expect(addressOf(app)).toBe(`${PLACE}?tab=others`)
})

test('cards are searched by their title and text, and the search is in the address', async () => {
  const app = open('?search=dashboards')
  await screen.findByRole('heading', { level: 1 })
  expect(cards().every((text) => /dashboards/.test(text))).toBe(true)
  const field = screen.getByRole('searchbox', { name: 'Search guides' })
  await app.user.clear(field)
  await app.user.type(field, 'nothing like it')
  expect(await screen.findByText('No guide for ‘nothing like it’')).toBeTruthy()
  await app.user.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(cards()).toHaveLength(18)
})

test('a guide has commands for the host, the port and the user of the reader [INT-01, SHELL-18]', async () => {
  open('/python')
  await screen.findByRole('heading', { name: 'Python', level: 1 })
  const text = await screen.findByText(/mysql\+pymysql/)
  expect(text.textContent).toContain('"ABC12345.ada lovelace"')
  expect(text.textContent).toContain('"sql.example.com"')
  expect(document.title).toContain('Python')
  expect(screen.queryByText(/\{\{\w/)).toBeNull()
})

test('the guide of the Streaming API is for the public or the private network [INT-14]', async () => {
  const app = open('/streaming-api', {
    'integration.endpoints': () => ({
      ...ENDPOINTS,
      privateIngest: { scheme: 'https', host: 'ingest-local-1-privatelink.example.com', port: 443 },
    }),
  })
  await screen.findByRole('heading', { name: 'Streaming API', level: 1 })
  expect((await screen.findAllByText(/https:\/\/ingest\.local-1\.example\.com:443/)).length).toBeGreaterThan(
    0,
  )
  await app.user.click(screen.getByRole('radio', { name: 'Private' }))
  expect(
    (await screen.findAllByText(/https:\/\/ingest-local-1-privatelink\.example\.com:443/)).length,
  ).toBeGreaterThan(0)
})

test('without a private link the page says so, and the commands stay as they were', async () => {
  const app = open('/streaming-api')
  await app.user.click(await screen.findByRole('radio', { name: 'Private' }))
  expect(await screen.findByText(/no approved private link/)).toBeTruthy()
  expect(screen.getAllByText(/https:\/\/ingest\.local-1\.example\.com:443/).length).toBeGreaterThan(0)
})

test('an endpoint that is off is said above the steps', async () => {
  open('/jdbc', {
    'integration.endpoints': () => ({
      ...ENDPOINTS,
      query: { ...ENDPOINTS.query, listening: false, absence: 'off' },
    }),
  })
  expect(await screen.findByText(/the operator has switched the endpoint off/)).toBeTruthy()
})

test('an unknown guide leads back to the list', async () => {
  open('/spark')
  expect(await screen.findByRole('heading', { name: 'There is no such guide', level: 1 })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'View all guides' }).getAttribute('href')).toBe(PLACE)
})

test('the test of a connection waits until the service says that a program came in', async () => {
  let came: Connection[] = []
  const app = open('/python', {
    'integration.connections': ({ since }) => ({
      mark: '0123456789abcdef-1',
      connections: since === null ? [] : came,
      isInterrupted: false,
    }),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Test this connection' }))
  expect(await screen.findByText(/Waiting for a connection/)).toBeTruthy()
  came = [{ ...CAME, outcome: 'wrongPassword' }]
  expect(await screen.findByText('The password or API key is wrong.')).toBeTruthy()
  expect(screen.getByText(/Waiting for a connection/), 'still waits').toBeTruthy()
  // Another door is another program.
  came = [{ ...CAME, door: 'ingest' }]
  await waitFor(() => expect(screen.queryByText('The password or API key is wrong.')).toBeNull())
  came = [CAME]
  expect(await screen.findByText('The program has signed in. It is ready to use.')).toBeTruthy()
  for (const fact of ['ada lovelace (you)', 'PyMySQL 1.2.4', '192.0.2.7', 'MySQL protocol'])
    expect(screen.getByText(fact)).toBeTruthy()
  expect(screen.queryByText(/Waiting for a connection/)).toBeNull()
})

test('the test can be cancelled, and then asks no more', async () => {
  const app = open('/python', {
    'integration.connections': () => ({ mark: '0123456789abcdef-1', connections: [], isInterrupted: false }),
  })
  await app.user.click(await screen.findByRole('button', { name: 'Test this connection' }))
  await app.user.click(await screen.findByRole('button', { name: 'Cancel test' }))
  expect(await screen.findByRole('button', { name: 'Test this connection' })).toBeTruthy()
  expect(screen.queryByText(/Waiting for a connection/)).toBeNull()
})

test('a request needs the name of the application, is sent once, and is listed with its answer [INT-24, INT-25]', async () => {
  let requests: IntegrationRequest[] = []
  const app = open('', {
    'integration.ownRequests': () => ({ requests }),
    'integration.request': (draft) => {
      requests = [
        { ...draft, requestId: 7, createdAt: CAME.at, answer: 'It connects as MySQL.', answeredAt: CAME.at },
      ]
      return { requestId: 7 }
    },
  })
  await app.user.click(await screen.findByRole('button', { name: 'Request an integration' }))
  const form = within(await screen.findByRole('dialog', { name: 'Request integration' }))
  await app.user.click(form.getByRole('button', { name: 'Send request' }))
  expect(await form.findByText('Application name is required.')).toBeTruthy()
  expect(app.server.callsOf('integration.request')).toEqual([])
  await app.user.type(form.getByLabelText('Application name'), 'Looker')
  await app.user.type(form.getByLabelText('Address of its documentation'), 'looker')
  await app.user.click(form.getByRole('button', { name: 'Send request' }))
  expect(await form.findByText(/begins with http/)).toBeTruthy()
  await app.user.clear(form.getByLabelText('Address of its documentation'))
  await app.user.type(form.getByLabelText('What do you want to do with it?'), 'Sales reports')
  await app.user.click(form.getByRole('button', { name: 'Send request' }))
  expect(await screen.findByText('It connects as MySQL.')).toBeTruthy()
  expect(app.server.callsOf('integration.request')).toEqual([
    { applicationName: 'Looker', useCase: 'Sales reports', link: '' },
  ])
})
