import type { Page } from '@playwright/test'
import {
  enterAccount,
  enterUser,
  failure,
  greeting,
  grid,
  menuLink,
  newQuery,
  openEditor,
  resultRows,
  runSql,
  signIn,
  signInToEditor,
  signOut,
  sqlEditor,
  sqlText,
  untilNewQuery,
  writeSql,
} from './console-page.ts'
import { expect, test } from './console-test.ts'

const NATIONS = `select r_name, count(*) as nations
from sample.region join sample.nation on n_regionkey = r_regionkey
group by r_name order by r_name`
const NATIONS_ROWS = ['AFRICA', 'AMERICA', 'ASIA', 'EUROPE', 'MIDDLE EAST'].map((name) => [name, '5'])

const path = (page: Page): string => new URL(page.url()).pathname
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true })

test('from the address on the terminal to rows on the screen, and out again [SHELL-03, SIGNIN-03, SIGNIN-43, SHELL-68, SIGNIN-07, SHELL-33]', async ({
  page,
  product,
}) => {
  const { url, accountId, user } = product
  await page.goto(url)
  await expect(page).toHaveURL(`${url}/login`)
  await enterAccount(page, accountId)
  await enterUser(page, { user, password: 'Rowing_1999' })
  await expect(page.getByRole('alert')).toHaveText('Login failed: Invalid account or password.')
  await enterUser(page, product)
  await expect(greeting(page)).toHaveText(`Welcome, ${user}`)

  await openEditor(page)
  await newQuery(page)
  await runSql(page, NATIONS)
  await expect.poll(() => resultRows(page)).toEqual(NATIONS_ROWS)

  await runSql(page, 'select 1,\n  nowhere\nfrom sample.region')
  await expect(failure(page)).toContainText('nowhere')
  await expect(failure(page)).toContainText('Line 2, column 3')

  // At once: what was typed last must not need to be saved first.
  await writeSql(page, 'select 42 as answer')
  await page.reload()
  await expect.poll(() => sqlText(page)).toBe('select 42 as answer')

  const place = page.url()
  await signOut(page)
  await expect(page).toHaveURL(`${url}/login?step=signin&aid=${accountId}&region=local-1`)
  await page.goBack()
  await expect(signInButton(page)).toBeVisible()
  await page.goto(place)
  await expect(signInButton(page)).toBeVisible()
  await expect.poll(() => path(page)).toBe('/login')
})

test('the keyboard alone leads from sign-in to rows', async ({ page, product }) => {
  const { keyboard } = page
  await page.goto(product.url)
  await expect(page.getByLabel('Account ID')).toBeFocused()
  await keyboard.type(product.accountId)
  await keyboard.press('Enter')
  await expect(page.getByLabel('User name')).toBeFocused()
  await keyboard.type(product.user)
  await keyboard.press('Tab')
  await keyboard.type(product.password)
  await keyboard.press('Enter')
  await expect(greeting(page)).toBeVisible()

  await tabTo(page, 'link', 'SQL editor')
  await keyboard.press('Enter')
  await expect(sqlEditor(page)).toBeVisible()
  await tabTo(page, 'button', 'Create query')
  await untilNewQuery(page, () => keyboard.press('Enter'))
  await tabTo(page, 'textbox', 'SQL editor')
  await keyboard.type('select 6 * 7 as answer')
  await keyboard.press('ControlOrMeta+Enter')
  await expect(grid(page)).toBeVisible()

  // Tab indents in the editor; Escape lets go of it.
  await keyboard.press('Escape')
  await tabTo(page, 'grid', 'Rows of the result')
  await expect.poll(() => resultRows(page)).toEqual([['42']])
})

/** Presses Tab until that control has the focus. */
async function tabTo(page: Page, role: 'link' | 'button' | 'textbox' | 'grid', name: string): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true })
  // Before it is there, the keys would lead past its place.
  await expect(wanted.first()).toBeVisible()
  for (let pressed = 0; pressed < 60; pressed++) {
    if (await wanted.evaluateAll((all) => all.some((one) => one === document.activeElement))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The Tab key does not lead to the ${role} '${name}'.`)
}

test('home offers its boxes and says what account this is [HOME-01, HOME-02, HOME-03, HOME-04, HOME-05, HOME-06]', async ({
  page,
  product,
}) => {
  await signIn(page, product)
  const main = page.getByRole('main')
  for (const name of ['Load data', 'Create query', 'Collaborate'])
    await expect(main.getByRole('button', { name })).toBeVisible()
  for (const name of ['Account details', 'Query endpoint', 'Learn more'])
    await expect(main.getByRole('heading', { name })).toBeVisible()
  await expect(main.getByText(product.accountId, { exact: true })).toBeVisible()

  await main.getByRole('button', { name: 'Load data' }).click()
  await expect(main.getByRole('heading', { name: 'Load data', exact: true })).toBeVisible()
  await expect(main.getByText('Into database main')).toBeVisible()
})

test('menu and logo lead to the pages, and the menu shows where one is [SHELL-07, SHELL-08, SHELL-09, SHELL-40, SHELL-41, SHELL-56]', async ({
  page,
  product,
}) => {
  const place = `/local-1/${product.accountId}`
  await signIn(page, product)
  await expect.poll(() => path(page)).toBe(`${place}/home`)
  await expect(menuLink(page, 'Home')).toHaveAttribute('aria-current', 'page')
  await openEditor(page)
  await expect.poll(() => path(page)).toBe(`${place}/editor`)
  await expect(menuLink(page, 'SQL editor')).toHaveAttribute('aria-current', 'page')
  await expect(menuLink(page, 'Home')).not.toHaveAttribute('aria-current', 'page')
  await page.getByRole('link', { name: 'Boathouse, go to home' }).click()
  await expect(greeting(page)).toBeVisible()
  await expect.poll(() => path(page)).toBe(`${place}/home`)
})

test('from / one comes home when signed in; a page asked for before sign-in opens after it [SHELL-02, SHELL-10, SHELL-33]', async ({
  page,
  product,
}) => {
  await signInToEditor(page, product)
  await runSql(page, 'select 1 as kept')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const address = page.url()
  expect(Object.fromEntries(new URL(address).searchParams)).toEqual({
    activeTab: expect.any(String),
    tabName: expect.stringMatching(/^Untitled/),
  })
  await page.goto(product.url)
  await expect(greeting(page)).toBeVisible()
  await expect.poll(() => path(page)).toBe(`/local-1/${product.accountId}/home`)

  await signOut(page)
  await expect(signInButton(page)).toBeVisible()
  await page.goto(address)
  await enterUser(page, product)
  await expect(sqlEditor(page)).toBeVisible()
  await expect(page).toHaveURL(address)
  await expect.poll(() => sqlText(page)).toBe('select 1 as kept')
})

test('the channel opens after sign-in, carries the query and closes at logout [CHANNEL-01, CHANNEL-03, CHANNEL-04, CHANNEL-06, CHANNEL-07]', async ({
  page,
  product,
}) => {
  let opened = 0
  page.on('websocket', () => opened++)
  await page.goto(product.url)
  await enterAccount(page, product.accountId)
  expect(opened).toBe(0)
  const opening = page.waitForEvent('websocket')
  await enterUser(page, product)
  const socket = await opening
  const { pathname, searchParams } = new URL(socket.url())
  expect(pathname).toBe('/websocket/connect')
  expect([...searchParams.keys()].sort()).toEqual(['client_id', 'nonce', 'signature', 'timestamp', 'token'])

  await openEditor(page)
  await newQuery(page)
  const sending = socket.waitForEvent('framesent', (frame) => String(frame.payload).includes('select 42'))
  await runSql(page, 'select 42')
  expect(JSON.parse(String((await sending).payload))).toMatchObject({
    cmd: 2,
    queryReq: { sql: 'select 42', requestId: expect.any(String) },
  })
  const closed = socket.waitForEvent('close')
  await signOut(page)
  await closed
  expect(opened).toBe(1)
})

test('an unknown address shows the 404 page, which leads home [SHELL-05, SHELL-84, SHELL-85]', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/no/such/page?at=all`)
  await expect(page).toHaveURL(`${product.url}/404`)
  await expect(page.getByRole('heading', { name: 'OOPS!... 404 Not Found' })).toBeVisible()
  await signIn(page, product)
  await page.goto(`${product.url}/local-1/${product.accountId}/no-such-page`)
  await expect(page).toHaveURL(`${product.url}/404`)
  await page.getByRole('link', { name: 'Back home' }).click()
  await expect(greeting(page)).toBeVisible()
})
