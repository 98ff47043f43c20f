import type { Locator, Page } from '@playwright/test'
import { ask } from './ask.ts'
import { grid, newQuery, openNewQuery, resultRows, results, runSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import type { Product } from './product.ts'

/** Every list is used while it is still on its way: what was typed and pressed holds for what arrives. */

const placeOf = ({ url, accountId }: Product): string => `${url}/local-1/${accountId}`
const rows = (page: Page, table: string): Locator =>
  page.getByRole('table', { name: table }).locator('tbody').getByRole('row')

/** Answers of these calls wait until they are let go; the ones behind those do not. */
async function hold(page: Page, ...paths: string[]): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    ({ pathname }) => paths.some((path) => pathname.endsWith(path)),
    async (route) => {
      await released
      await route.fallback()
    },
  )
  return release
}

test('lists of warehouses, users, roles and databases follow what was typed while they were loading', async ({
  page,
  product,
}) => {
  const place = placeOf(product)
  await ask(
    product,
    `create warehouse if not exists tug size = 'XSmall'; create role if not exists tug_master;
      create database if not exists tug_base`,
  )

  let release = await hold(page, '/warehouse/list')
  await page.goto(`${place}/admin/warehouse`)
  await page.getByRole('searchbox', { name: /^Search/ }).fill('tug')
  await page.getByRole('radio', { name: /^Suspended/ }).check({ force: true })
  await page.getByRole('radio', { name: /^All/ }).check({ force: true })
  release()
  await expect(rows(page, 'Warehouses')).toHaveCount(1)
  await expect(rows(page, 'Warehouses')).toContainText('tug')

  release = await hold(page, '/perms/list-roles')
  await page.goto(`${place}/admin/access?tab=role`)
  await page.getByRole('searchbox', { name: 'Search roles by name' }).fill('tug_')
  release()
  await expect(rows(page, 'Roles')).toHaveCount(1)
  await expect(page.getByRole('searchbox', { name: 'Search roles by name' })).toHaveValue('tug_')

  release = await hold(page, '/perms/list-users')
  await page.goto(`${place}/admin/access?tab=user`)
  await page.getByRole('searchbox', { name: /^Search users/ }).fill('nobody of this name')
  release()
  await expect(page.getByRole('heading', { name: 'No matches' })).toBeVisible()

  release = await hold(page, '/schema/databases')
  await page.goto(`${place}/catalog/catalog-default_catalog-type-Internal`)
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('tug')
  release()
  await expect(rows(page, 'Databases')).toHaveCount(1)
  await expect(rows(page, 'Databases')).toContainText('tug_base')

  release = await hold(page, '/schema/tables')
  await page.goto(`${place}/catalog/catalog-default_catalog-type-Internal/database-sample`)
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('ord')
  await page.getByRole('radio', { name: /^Views/ }).check({ force: true })
  await page.getByRole('radio', { name: /^Tables/ }).check({ force: true })
  release()
  await expect(rows(page, 'Tables and views')).toHaveCount(1)

  release = await hold(page, '/query/history')
  await page.goto(`${place}/activity`)
  await page.getByLabel('Search statements').fill('tug_master')
  release()
  await expect(rows(page, 'History')).toHaveCount(1)

  release = await hold(page, '/audit/list', '/audit/object-types')
  await page.goto(`${place}/admin/security?tab=audit`)
  await page.getByRole('searchbox', { name: 'Search entries' }).fill('tug_base')
  release()
  await expect(rows(page, 'Entries of the audit log')).toHaveCount(1)
})

test('trees, menus and pickers of the editor take keys before they have anything to show', async ({
  page,
  product,
}) => {
  await ask(product, 'create database if not exists pier')
  let release = await hold(page, '/schema/catalogs', '/schema/search', '/editor/list-tab-tree')
  await page.goto(`${placeOf(product)}/editor`)
  await page.getByRole('textbox', { name: 'Filter catalogs' }).fill('nation')
  await page.keyboard.press('ArrowDown')
  // Of a sample, which is there whatever other journeys have saved before.
  await page.getByRole('textbox', { name: 'Filter queries' }).fill('ranks')
  await page.keyboard.press('ArrowDown')
  release()
  await expect(
    page.getByRole('tree', { name: 'Catalogs' }).getByText('nation', { exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Filter catalogs' })).toHaveValue('nation')
  await expect(page.getByRole('tree', { name: 'Saved queries' }).getByRole('treeitem').first()).toBeVisible()
  await page.getByRole('textbox', { name: 'Filter queries' }).fill('')

  await page.getByRole('textbox', { name: 'Filter catalogs' }).fill('')
  await newQuery(page)
  release = await hold(page, '/schema/databases', '/schema/catalogs')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  const place = page.getByRole('button', { name: /^Catalog and database/ })
  await place.click()
  await page.keyboard.press('ArrowDown')
  release()
  await page.getByRole('menuitemradio', { name: 'pier', exact: true }).click()
  await runSql(page, 'select current_schema() as here')
  await expect.poll(() => resultRows(page)).toEqual([['pier']])

  release = await hold(page, '/query/history')
  await page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'History' }).click()
  const dialog = page.getByRole('dialog', { name: 'History' })
  // The dialog itself is fetched when it is first asked for: keys before that are not its own.
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('current_schema')
  await dialog.getByRole('switch').check()
  release()
  await expect(dialog.locator('tbody').getByRole('row')).toHaveCount(1)
  await page.keyboard.press('Escape')

  release = await hold(page, '/schema/search')
  await page.keyboard.press('ControlOrMeta+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await palette.getByRole('combobox').fill('lineitem')
  await page.keyboard.press('Enter')
  await expect(palette).toBeVisible()
  release()
  await expect(palette.getByRole('option', { name: /^lineitem/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'lineitem', level: 1 })).toBeVisible()
})

test('rows that are still being sorted elsewhere take a filter and another order', async ({
  page,
  product,
}) => {
  await openNewQuery(page, product)
  await runSql(page, 'set sql_select_limit = 50000')
  await runSql(page, 'select i as id, i % 9 as nine from range(9000) t(i) order by i')
  const release = await hold(page, '/query/result-window')
  await grid(page).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('menuitem', { name: 'Sort descending' }).press('Enter')
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('menuitem', { name: 'Filter…' }).press('Enter')
  await expect(page.getByLabel('Show rows with')).toBeFocused()
  await page.keyboard.type('< 3')
  release()
  await expect(results(page).getByText('3 of 9,000 shown')).toBeVisible()
  await expect.poll(async () => (await resultRows(page)).map(([id]) => id)).toEqual(['2', '1', '0'])
})
