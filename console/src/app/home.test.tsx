import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
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

test('an endpoint that does not listen is not offered for copying [HOME-06]', async () => {
  openHome()
  const panel = await screen.findByRole('region', { name: 'Query endpoint' })
  expect(await within(panel).findByText('Not available in this version')).toBeTruthy()
  expect(within(panel).queryByRole('tab')).toBeNull()
})

test('an endpoint that listens gives help for MySQL, JDBC and others [HOME-07, HOME-08, HOME-09]', async () => {
  const queryEndpoint = { host: 'db.example.com', port: 9030, listening: true }
  const app = openHome({ 'account.details': () => ({ ...accountDetails, queryEndpoint }) })
  const panel = await screen.findByRole('region', { name: 'Query endpoint' })
  const shown = async (way: string) => {
    await app.user.click(await within(panel).findByRole('tab', { name: way }))
    return within(panel).getByRole('region', { name: way }).textContent
  }
  expect(await shown('MySQL')).toBe("mysql -h db.example.com -P 9030 -u 'ABC12345.ada lovelace' -p")
  expect(await shown('JDBC')).toBe('jdbc:mysql://db.example.com:9030/?user=ABC12345.ada%20lovelace')
  expect(await shown('Other applications')).toBe(
    'Host: db.example.com\nPort: 9030\nUser: ABC12345.ada lovelace',
  )
})
