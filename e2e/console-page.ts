import { callAs } from '@boathouse/client'
import { editor, type Output } from '@boathouse/contract'
import { expect, type Locator, type Page } from '@playwright/test'
import { personOf, storageOf } from './person.ts'
import type { Product } from './product.ts'

/** What a person does and sees in the console, by the names that they see. */

type Credentials = Pick<Product, 'user' | 'password'>

export async function enterAccount(page: Page, accountId: string): Promise<void> {
  await page.getByLabel('Account ID').fill(accountId)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByLabel('User name')).toBeVisible()
}

export async function enterUser(page: Page, { user, password }: Credentials): Promise<void> {
  await page.getByLabel('User name').fill(user)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

export const greeting = (page: Page): Locator => page.getByRole('heading', { name: /^Welcome, / })

/** By both steps, to the home page. */
export async function signIn(page: Page, product: Product, url = product.url): Promise<void> {
  await page.goto(url)
  await enterAccount(page, product.accountId)
  await enterUser(page, product)
  await expect(greeting(page)).toBeVisible()
}

/** To the home page without the form, for journeys that are not about signing in. */
export async function comeIn(page: Page, product: Product): Promise<void> {
  await page.context().setStorageState(await storageOf(product))
  await page.goto(`${product.url}/local-1/${product.accountId}/home`)
  await expect(greeting(page)).toBeVisible()
}

export const menuLink = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name })

export const sqlEditor = (page: Page): Locator => page.getByRole('textbox', { name: 'SQL editor' })
const savedQueries = (page: Page): Locator => page.getByRole('region', { name: 'Saved queries' })
export const results = (page: Page): Locator => page.getByRole('region', { name: 'Result', exact: true })
export const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Rows of the result' })

export async function openEditor(page: Page): Promise<void> {
  await menuLink(page, 'SQL editor').click()
  await expect(savedQueries(page)).toBeVisible()
}

const activeTab = (page: Page): string | null => new URL(page.url()).searchParams.get('activeTab')
const placeholder = (page: Page): Locator => sqlEditor(page).locator('.cm-placeholder')

/** Does what creates a query, and waits until that one is shown: another may be open, or about to be, before it. */
export async function untilNewQuery(page: Page, act: () => Promise<void>): Promise<void> {
  const creating = page.waitForResponse((response) => response.url().endsWith(editor.createTab.path))
  await act()
  const { data } = (await (await creating).json()) as { data: Output<typeof editor.createTab> }
  await expect.poll(() => activeTab(page)).toBe(data.tabId)
  await expect(placeholder(page)).toBeVisible()
}

/** An empty tab of its own, so that tests do not meet in one. */
export const newQuery = (page: Page): Promise<void> =>
  untilNewQuery(page, () => savedQueries(page).getByRole('button', { name: 'Create query' }).click())

/** Beyond those that the page chooses itself, which are the lowest that are free. */
let lastNumber = 1000

/** Saved before the page is opened, which must be signed in already: one click and one query less than by hand. */
export async function openNewQuery(page: Page, product: Product, url = product.url): Promise<void> {
  const { login } = await personOf(product)
  const tabName = `Untitled ${++lastNumber}`
  const { tabId } = await callAs(login, editor.createTab, { tabName })
  const address = new URLSearchParams({ activeTab: tabId, tabName })
  await page.goto(`${url}/local-1/${product.accountId}/editor?${address}`)
  await expect(placeholder(page)).toBeVisible()
}

/** The same in a browser that nobody is signed in to. */
export async function openOwnQuery(page: Page, product: Product, url = product.url): Promise<void> {
  await page.context().setStorageState(await storageOf(product, url))
  await openNewQuery(page, product, url)
}

export async function signInToEditor(page: Page, product: Product, url = product.url): Promise<void> {
  await signIn(page, product, url)
  await openEditor(page)
  await newQuery(page)
}

export async function writeSql(page: Page, text: string): Promise<void> {
  await sqlEditor(page).press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

export const sqlText = async (page: Page): Promise<string> => {
  const lines = await sqlEditor(page).locator('.cm-line').allTextContents()
  return (await placeholder(page).count()) > 0 ? '' : lines.join('\n')
}

/** Writes a text into the tab and sends it; the answer may still be on its way. */
export async function sendSql(page: Page, text: string): Promise<void> {
  await writeSql(page, text)
  await page.keyboard.press('ControlOrMeta+Enter')
}

const ENDS = /^(Finished|Failed|Stopped)$/

/** Which run the result is of, or is awaited of. */
const shownRun = async (page: Page): Promise<string | null> => {
  const [shown] = await results(page).evaluateAll((all) => all.map((one) => one.getAttribute('data-run')))
  return shown ?? null
}

/** Does what runs something, and waits until the result is no longer that of the run before. */
async function untilNextRun(page: Page, act: () => Promise<void>): Promise<void> {
  const before = await shownRun(page)
  await act()
  await expect.poll(() => shownRun(page)).not.toBe(before)
}

/** Writes a text into the tab, runs the statement in it and waits for its end. */
export async function runSql(page: Page, text: string): Promise<void> {
  await untilNextRun(page, () => sendSql(page, text))
  await expect(results(page).getByText(ENDS)).toBeVisible()
}

/** The same for a statement that drops, after the question before it. */
export async function dropSql(page: Page, text: string): Promise<void> {
  await untilNextRun(page, async () => {
    await sendSql(page, text)
    await page.getByRole('button', { name: 'Run anyway' }).click()
  })
  await expect(results(page).getByText('Dropped.')).toBeVisible()
}

/** The cells that are drawn, row by row; the grid draws what can be seen. */
export const resultRows = (page: Page): Promise<string[][]> =>
  grid(page).evaluate((element) =>
    [...element.querySelectorAll('[role=row]')]
      .map((row) => [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent))
      .filter((cells) => cells.length > 0),
  )

export const failure = (page: Page): Locator =>
  results(page).getByRole('alert').filter({ hasText: 'The statement failed' })

export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /User menu of / }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await page.getByRole('dialog', { name: 'Log out?' }).getByRole('button', { name: 'Log out' }).click()
}
