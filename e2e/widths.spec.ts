import type { Locator, Page } from '@playwright/test'
import { greeting, newQuery, runSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import { LONG, makeRealisticData, type RealisticData } from './realistic-data.ts'
import { troubleOfWidth } from './width-trouble.ts'

// The names are long, and would be in the lists of others.
test.use({ aloneAs: 'widths' })

const WIDTHS = [1920, 1280, 1024, 390] as const
const HEIGHT = 800

const heading = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { name, level: 1 })
const table = (name: string) => (page: Page) => page.getByRole('table', { name, exact: true })

interface Opened {
  readonly path: string
  /** There when the page is. */
  readonly ready: (page: Page) => Locator
}

const catalog = 'catalog/catalog-default_catalog-type-Internal'
const database = `${catalog}/database-${LONG.database}`
const object = `${database}/table-${LONG.table}`
const user = `admin/access/user/${LONG.user}`
const role = `admin/access/role/${LONG.role}`

const pagesOf = ({ warehouseId, queryId, dashboardId }: RealisticData): readonly Opened[] => [
  { path: 'home', ready: greeting },
  { path: 'editor', ready: (page) => page.getByRole('textbox', { name: 'SQL editor' }) },
  { path: 'dashboards', ready: table('Dashboards') },
  {
    path: `dashboards/${dashboardId}`,
    ready: (page) => page.getByRole('slider', { name: /^Chart points/ }),
  },
  { path: 'catalog', ready: table('Catalogs') },
  { path: catalog, ready: table('Databases') },
  { path: database, ready: table('Tables and views') },
  { path: object, ready: table('Columns') },
  { path: `${object}?tab=sample`, ready: table('Sample rows') },
  { path: `${object}?tab=access`, ready: table('Who can read it') },
  { path: `${database}/load`, ready: heading('Load data') },
  { path: 'admin/warehouse', ready: table('Warehouses') },
  { path: `admin/warehouse/${warehouseId}`, ready: table('Activity') },
  { path: 'add-cluster', ready: heading(/./) },
  { path: 'activity', ready: table('History') },
  { path: 'activity/schedules', ready: table('Schedules') },
  { path: `activity/query_${queryId}`, ready: table('Result') },
  { path: 'admin/usage-and-billing', ready: heading('Usage & billing') },
  { path: 'admin/usage-and-billing?tab=usage', ready: table('Details') },
  { path: 'admin/usage-and-billing?tab=budgets', ready: table('Budgets') },
  { path: 'admin/usage-and-billing?tab=history', ready: heading('Usage & billing') },
  { path: 'admin/usage-and-billing?tab=payment', ready: heading('Usage & billing') },
  { path: 'admin/access?tab=user', ready: table('Users') },
  { path: 'admin/access?tab=role', ready: table('Roles') },
  { path: user, ready: table('Granted roles') },
  { path: role, ready: table('Granted privileges') },
  { path: `${role}?tab=users`, ready: table('Associated users') },
  { path: 'admin/security?tab=audit', ready: table('Entries of the audit log') },
  { path: 'admin/security?tab=sign-ins', ready: table('Sign-ins') },
  { path: 'admin/security?tab=firewall', ready: table('Rules') },
  { path: 'admin/security?tab=private-link', ready: table('VPC endpoints') },
  {
    path: 'admin/security?tab=embedding',
    ready: (page) => page.getByRole('switch', { name: 'Allow embedding of dashboards' }),
  },
  { path: 'admin/security?tab=sso', ready: heading('Security settings') },
  { path: 'admin/account', ready: table('Accounts') },
  { path: 'integration', ready: heading(/./) },
  { path: 'guide/sql', ready: heading(/./) },
  { path: 'guide/reference', ready: heading('API reference') },
  { path: 'guide/reference#query/detail', ready: table('Fields of the answer') },
]

const setWidth = (page: Page, width: number) => page.setViewportSize({ width, height: HEIGHT })

/** In all widths; a page follows its window within a moment. */
async function expectToFit(page: Page, what: string): Promise<void> {
  for (const width of WIDTHS) {
    await setWidth(page, width)
    await expect
      .configure({ soft: true })
      .poll(() => troubleOfWidth(page), { message: `${what} at ${width}` })
      .toEqual([])
  }
}

test('every page fits its window, and lists share what room there is', async ({ page, product, browser }) => {
  const made = await makeRealisticData(product)
  const place = `/local-1/${product.accountId}/`
  await page.goto(product.url)
  await expect(greeting(page)).toBeVisible()
  // As a link does, without the time that a new document takes.
  const open = (path: string) =>
    page.evaluate((address) => history.pushState(null, '', address), place + path)
  for (const { path, ready } of pagesOf(made)) {
    await open(path)
    await expect(ready(page), path).toBeVisible()
    await expectToFit(page, path)
  }
  const stranger = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const signIn = await stranger.newPage()
  await signIn.goto(product.url)
  await expect(signIn.getByLabel('Account ID')).toBeVisible()
  await expectToFit(signIn, 'sign-in')
  await stranger.close()

  await test.step('the statement has what the other columns leave', async () => {
    await open('activity')
    const cells = table('History')(page)
      .getByRole('row')
      .filter({ hasText: 'l_returnflag' })
      .getByRole('cell')
    const share = async () => {
      const [list, cell] = await Promise.all([
        table('History')(page).boundingBox(),
        cells.first().boundingBox(),
      ])
      return (cell?.width ?? 0) / (list?.width ?? 1)
    }
    await expect(cells.first()).toBeVisible()
    await setWidth(page, 1920)
    await expect.poll(share).toBeGreaterThan(0.5)
    // SHELL-57: as wide as it is specified, where there is room.
    await expect.poll(async () => (await page.getByRole('search').boundingBox())?.width).toBe(520)
  })

  await test.step('filters are in one row, with whole words', async () => {
    await setWidth(page, 1280)
    const filters = page.getByRole('main').getByRole('combobox')
    await expect(filters).toHaveCount(4)
    const look = () =>
      filters.evaluateAll((all) => ({
        rows: new Set(all.map((one) => one.getBoundingClientRect().top)).size,
        cut: all.filter((one) => one.scrollWidth > one.clientWidth).length,
      }))
    await expect.poll(look).toEqual({ rows: 1, cut: 0 })
  })

  await test.step('five cards are in one row', async () => {
    await open(`admin/warehouse/${made.warehouseId}`)
    const cards = page.getByRole('main').getByRole('group')
    await expect(cards).toHaveCount(5)
    const rows = () =>
      cards.evaluateAll((all) => new Set(all.map((one) => one.getBoundingClientRect().top)).size)
    await expect.poll(rows).toBe(1)
    await setWidth(page, 390)
    // The fifth has a row to itself, and all of it.
    const beyondTwo = () =>
      cards.evaluateAll((all) => {
        const [first = 0, , , , fifth = 0] = all.map((one) => one.getBoundingClientRect().width)
        return fifth - 2 * first
      })
    await expect.poll(beyondTwo).toBeCloseTo(12, 0)
  })

  await test.step('on a phone the search opens over the bar, and menus open within the window', async () => {
    const search = page.getByRole('combobox', { name: 'Search catalogs' })
    await search.click()
    await expect.poll(async () => (await search.boundingBox())?.width).toBeGreaterThan(100)
    await search.fill('nation')
    await expect(page.getByRole('option').first()).toBeInViewport({ ratio: 1 })
    await search.press('Escape')
    await page.getByRole('button', { name: 'Notifications' }).click()
    await expect(page.getByRole('dialog')).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await open('admin/warehouse')
    await page.getByRole('button', { name: 'Actions of default_warehouse' }).click()
    await expect(page.getByRole('menu')).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Create warehouse' }).click()
    await expect(page.getByRole('dialog')).toBeInViewport({ ratio: 1 })
  })

  await test.step('nothing of what a result says of itself is cut', async () => {
    await setWidth(page, 1280)
    await open('editor')
    await newQuery(page)
    await runSql(page, LONG.statement)
    for (const width of [1280, 1024]) {
      await setWidth(page, width)
      await expect(page.getByRole('button', { name: 'Copy query ID' })).toBeInViewport({ ratio: 1 })
      await expect.poll(() => troubleOfWidth(page)).toEqual([])
    }
  })
})
