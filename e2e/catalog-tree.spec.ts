import type { Locator, Page } from '@playwright/test'
import { expectAccessible, expectAccessibleBothWays } from './axe.ts'
import { dropSql, openNewQuery, resultRows, runSql, sqlEditor, sqlText } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import { tellFigure } from './figures.ts'
import { cpuWhile } from './page-cpu.ts'

/** To read and show a long list, by what it takes to parse it. */
const OPENED_TIMES = 6

const tree = (page: Page): Locator => page.getByRole('tree', { name: 'Catalogs' })
const row = (page: Page, name: string): Locator => tree(page).getByRole('treeitem', { name, exact: true })
const place = (page: Page): Locator =>
  page.getByRole('button', { name: /^Catalog and database of this query/ })
const focusedName = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('title') ?? null)

test.beforeEach(async ({ page, product }) => {
  await openNewQuery(page, product)
  await expect(row(page, 'sample')).toHaveAttribute('aria-expanded', 'false')
})

test('the sample database and its tables are in the tree, and what statements create and drop follows [EDITOR-29]', async ({
  page,
}) => {
  await row(page, 'sample').click()
  for (const name of ['customer', 'lineitem', 'nation', 'region']) await expect(row(page, name)).toBeVisible()
  await expect(row(page, 'sample')).toHaveAttribute('aria-selected', 'true')

  await runSql(page, 'create table oars (length_cm int)')
  await expect(row(page, 'oars')).toBeVisible()
  await runSql(page, 'create view long_oars as select * from oars where length_cm > 300')
  await expect(row(page, 'long_oars view')).toBeVisible()
  await runSql(page, 'alter table oars rename to sculls')
  await expect(row(page, 'sculls')).toBeVisible()
  await dropSql(page, 'drop view long_oars')
  await dropSql(page, 'drop table sculls')
  await expect(row(page, 'sculls')).toBeHidden()
  await expect(row(page, 'long_oars view')).toBeHidden()
})

test('USE selects and opens a database; choosing another one takes the next statement there [EDITOR-33]', async ({
  page,
}) => {
  await runSql(page, 'create database regatta')
  await expect(row(page, 'regatta')).toBeVisible()
  await runSql(page, 'use regatta')
  await expect(row(page, 'regatta')).toHaveAttribute('aria-selected', 'true')
  await expect(row(page, 'regatta')).toHaveAttribute('aria-expanded', 'true')
  await expect(row(page, 'No tables yet')).toBeVisible()
  await expect(place(page)).toContainText('default_catalog.regatta')

  await row(page, 'sample').click()
  await expect(place(page)).toContainText('default_catalog.sample')
  await runSql(page, 'select current_schema()')
  await expect.poll(() => resultRows(page)).toEqual([['sample']])

  // The choice is the tab's, also after a reload and in a window that knows nothing of this one.
  await row(page, 'main').click()
  await expect(place(page)).toContainText('default_catalog.main')
  const saved = page.waitForResponse((response) => response.url().endsWith('/editor/update-tab-database'))
  await row(page, 'sample').click()
  await saved
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(place(other)).toContainText('default_catalog.sample')
  await expect(row(other, 'nation')).toBeVisible()
  await other.close()

  await dropSql(page, 'drop database regatta')
  await expect(row(page, 'regatta')).toBeHidden()
})

test('what is created in one window appears in another', async ({ page, context }) => {
  const other = await context.newPage()
  await other.goto(page.url())
  await row(other, 'sample').click()
  await expect(row(other, 'nation')).toBeVisible()
  await runSql(page, 'create table sample.from_elsewhere (i int)')
  await expect(row(other, 'from_elsewhere')).toBeVisible()
  await dropSql(page, 'drop table sample.from_elsewhere')
  await expect(row(other, 'from_elsewhere')).toBeHidden()
})

test('the keyboard alone walks the tree and puts a name into the text', async ({ page }) => {
  const { keyboard } = page
  await place(page).focus()
  await keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Show in tree' }).focus()
  await keyboard.press('Enter')
  await expect.poll(() => focusedName(page)).toBe('default_catalog')
  await keyboard.type('sam')
  await expect.poll(() => focusedName(page)).toBe('sample')
  await keyboard.press('ArrowRight')
  await expect(row(page, 'supplier')).toBeVisible()
  await keyboard.press('ArrowRight')
  await expect.poll(() => focusedName(page)).toBe('customer')
  await keyboard.press('End')
  await expect.poll(() => focusedName(page)).toBe('supplier')
  await keyboard.press('ArrowUp')
  await expect.poll(() => focusedName(page)).toBe('region')
  await keyboard.press('Enter')
  await expect(sqlEditor(page)).toBeFocused()
  await expect.poll(() => sqlText(page)).toBe('"sample"."region"')
})

test('a table opens down to its columns; its menu shows rows and drops it; a search finds what is closed', async ({
  page,
}) => {
  const { keyboard } = page
  await runSql(page, 'create database quay')
  await runSql(page, 'create table quay.moorings as select 1 as berth, 2 as depth_m')
  await expect(row(page, 'quay')).toBeVisible()
  const search = page.getByLabel('Filter catalogs')
  await search.fill('mooring')
  await expect(row(page, 'moorings')).toBeVisible()
  await expect(row(page, 'quay')).toHaveAttribute('aria-expanded', 'true')
  await search.fill('')
  await expect(row(page, 'quay')).toHaveAttribute('aria-expanded', 'false')
  await row(page, 'quay').focus()
  await keyboard.press('ArrowRight')
  await expect(row(page, 'quay')).toHaveAttribute('aria-expanded', 'true')
  await row(page, 'moorings').focus()
  await keyboard.press('ArrowRight')
  await expect(row(page, 'depth_m INTEGER')).toBeVisible()
  await keyboard.press('Shift+F10')
  const menu = page.getByRole('menu', { name: 'Actions for moorings' })
  await expectAccessible(page, 'the menu of a table')
  await menu.getByRole('menuitem', { name: 'Show first 100 rows' }).click()
  await expect.poll(() => resultRows(page)).toEqual([['1', '2']])
  await row(page, 'moorings').click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Drop…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Drop table moorings?' })
  await expect(dialog).toContainText('Nothing else uses it.')
  await dialog.getByRole('button', { name: 'Drop table' }).click()
  await expect(row(page, 'moorings')).toBeHidden()
  await dropSql(page, 'drop database quay')
})

test('with every warehouse suspended, the tree works all the same', async ({ page }) => {
  await runSql(page, 'suspend warehouse default_warehouse')
  await expect(page.getByRole('toolbar', { name: 'Query' })).toContainText('Suspended')
  await page.reload()
  await row(page, 'sample').click()
  await expect(row(page, 'nation')).toBeVisible()
  await expect(page.getByRole('toolbar', { name: 'Query' })).toContainText('Suspended')
})

test(
  'in a database of many tables only those that can be seen are drawn',
  { tag: '@measured' },
  async ({ page }) => {
    const count = 100_000
    const names = Array.from({ length: count }, (_, at) => `table_${at}`)
    const body = JSON.stringify({ code: 20000, message: '', data: { list: [], names, total: count } })
    await page.route('**/api/schema/tables', (route) =>
      route.fulfill({ contentType: 'application/json', body }),
    )
    await row(page, 'sample').focus()
    const began = Date.now()
    const opened = await cpuWhile(page, async () => {
      await page.keyboard.press('ArrowRight')
      await expect(row(page, 'table_0')).toBeVisible()
    })
    const took = Date.now() - began
    const parsed = await cpuWhile(page, () => page.evaluate((text) => JSON.parse(text).data.total, body))
    tellFigure(
      `${count} tables from key to rows ${took} ms; processor time of the page ${Math.round(opened)} ms, to hand over and ` +
        `parse that answer alone ${Math.round(parsed)} ms (at most ${OPENED_TIMES} times as much)`,
    )
    expect(opened).toBeLessThanOrEqual(OPENED_TIMES * parsed)
    expect(await tree(page).getByRole('treeitem').count()).toBeLessThan(60)
    await page.keyboard.press('End')
    await expect.poll(() => focusedName(page)).toBe(`table_${count - 1}`)
    await expect(row(page, `table_${count - 1}`)).toBeInViewport()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => focusedName(page)).toBe('sample')
  },
)

test('the open tree keeps to WCAG, levels A and AA, in light and dark', async ({ page }) => {
  await row(page, 'sample').click()
  await expect(row(page, 'nation')).toBeVisible()
  await row(page, 'nation').hover()
  await expectAccessibleBothWays(page, 'the editor with tables')
  await runSql(page, 'create database backwater')
  await page.route('**/api/schema/tables', (route) => route.abort())
  await row(page, 'backwater').click()
  await expect(row(page, 'Tables not loaded Retry')).toBeVisible()
  await expectAccessibleBothWays(page, 'the editor with tables that could not be loaded')
  await page.unroute('**/api/schema/tables')
  await row(page, 'Tables not loaded Retry').click()
  await expect(row(page, 'No tables yet')).toBeVisible()
  // Nobody drops the database that they stand in.
  await row(page, 'sample').click()
  await expect(place(page)).toContainText('default_catalog.sample')
  await dropSql(page, 'drop database backwater')
})
