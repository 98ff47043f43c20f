import type { Page } from '@playwright/test'
import { expectAccessible } from './axe.ts'
import { menuLink, sqlText } from './console-page.ts'
import { expect, signedInTest } from './console-test.ts'

const actions = (page: Page, name: string) =>
  page.getByRole('button', { name: `Actions of ${name}`, exact: true })

for (const colorScheme of ['light', 'dark'] as const)
  signedInTest.describe(() => {
    signedInTest.use({ colorScheme, viewport: { width: 1280, height: 720 } })

    signedInTest(
      `somebody finds a table, looks at all of it, makes one of an odd name, and drops it, in ${colorScheme} [CATALOG-01, CATALOG-05, CATALOG-06, CATALOG-07, CATALOG-10, CATALOG-11]`,
      async ({ page, product }) => {
        signedInTest.slow()
        const look = (name: string) =>
          process.env['CATALOG_PICTURES']
            ? page.screenshot({ path: `${process.env['CATALOG_PICTURES']}/${name}-${colorScheme}.png` })
            : Promise.resolve()
        const database = `harbour_${colorScheme}`
        await page.goto(`${product.url}/local-1/${product.accountId}/home`)
        await menuLink(page, 'Catalogs').click()
        await expect(page.getByRole('table', { name: 'Catalogs' })).toContainText('Internal')
        await expectAccessible(page, 'the list of catalogs')
        await page.getByRole('link', { name: 'default_catalog' }).click()
        await expect(page.getByRole('table', { name: 'Databases' })).toContainText('sample')
        await look('databases')
        await expectAccessible(page, 'the list of databases')
        await page.getByRole('link', { name: 'sample', exact: true }).click()
        await expect(page.getByRole('link', { name: 'orders', exact: true })).toBeVisible()
        await look('tables')
        await expectAccessible(page, 'the list of tables')
        await page.getByRole('searchbox', { name: 'Search by name' }).fill('ORD')
        await expect(page.getByRole('table', { name: 'Tables and views' }).getByRole('row')).toHaveCount(2)

        await page.getByRole('link', { name: 'orders', exact: true }).click()
        await expect(page.getByRole('table', { name: 'Columns' })).toContainText('o_orderkey')
        await expect(page.getByText(/rows$/).first()).toBeVisible()
        await look('table')
        await expectAccessible(page, 'a table')
        for (const tab of ['Sample', 'Create statement', 'Dependencies', 'Access']) {
          await page.getByRole('tab', { name: tab }).click()
          await expect(page.getByRole('tabpanel')).toContainText(/\w/)
          await look(`table-${tab.toLowerCase().replace(' ', '-')}`)
          await expectAccessible(page, `${tab} of a table`)
        }
        await page.getByRole('button', { name: 'Query' }).click()
        await expect.poll(() => sqlText(page)).toContain('SELECT * FROM "default_catalog"."sample"."orders"')

        await menuLink(page, 'Catalogs').click()
        await page.getByRole('link', { name: 'default_catalog' }).click()
        await page.getByRole('button', { name: 'Create database' }).click()
        await page.getByLabel('Name', { exact: true }).fill('1 harbour')
        const dialog = page.getByRole('dialog')
        await dialog.getByRole('button', { name: 'Create database' }).click()
        await expect(dialog).toContainText('Start with a letter; use letters, digits and underscores only')
        await page.getByLabel('Name', { exact: true }).fill(database)
        await dialog.getByRole('button', { name: 'Create database' }).click()
        await expect(page.getByRole('heading', { name: database, level: 1 })).toBeVisible()

        const odd = `boats/-type-"ö'. ?#%`
        await page.getByRole('button', { name: 'Create table' }).click()
        await dialog.getByLabel('Name', { exact: true }).fill(odd)
        await dialog.getByLabel('Name of column 1').fill('length')
        await dialog.getByLabel('Type of column 1').fill('DECIMAL(18,2)')
        await look('create-table')
        await expectAccessible(page, 'the form of a table')
        await dialog.getByRole('button', { name: 'Create table' }).click()
        await expect(page.getByRole('heading', { name: odd, level: 1 })).toBeVisible()
        await page.reload()
        await expect(page.getByRole('table', { name: 'Columns' })).toContainText('DECIMAL(18,2)')
        await page.getByRole('button', { name: 'Edit comment of length' }).click()
        await dialog.getByLabel('Comment', { exact: true }).fill('In metres')
        await dialog.getByRole('button', { name: 'Save comment' }).click()
        await expect(page.getByRole('table', { name: 'Columns' })).toContainText('In metres')
        await actions(page, odd).click()
        await page.getByRole('menuitem', { name: 'Rename' }).click()
        await dialog.getByLabel('New name').fill('boats')
        await dialog.getByRole('button', { name: 'Rename' }).click()
        await expect(page.getByRole('heading', { name: 'boats', level: 1 })).toBeVisible()
        await actions(page, 'boats').click()
        await page.getByRole('menuitem', { name: 'Drop' }).click()
        await dialog.getByLabel('Type boats to confirm').fill('boats')
        await expect(dialog).toContainText('Nothing else uses it.')
        await look('drop-table')
        await expectAccessible(page, 'the dialog that drops a table')
        await dialog.getByRole('button', { name: 'Drop table' }).click()
        await expect(page.getByText('Nothing here yet, or nothing that you may see')).toBeVisible()
        await actions(page, database).click()
        await page.getByRole('menuitem', { name: 'Drop database' }).click()
        await dialog.getByLabel(`Type ${database} to confirm`).fill(database)
        await dialog.getByRole('button', { name: 'Drop database' }).click()
        await expect(page.getByRole('heading', { name: 'default_catalog', level: 1 })).toBeVisible()
        await expect(page.getByRole('link', { name: database })).toBeHidden()
      },
    )
  })
