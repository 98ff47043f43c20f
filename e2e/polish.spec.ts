import { takePictures } from './schemes.ts'
import { expectAccessibleBothWays } from './axe.ts'
import { menuLink } from './console-page.ts'
import { expect, signedInTest } from './console-test.ts'

const pictures = process.env['E2E_PICTURES']

signedInTest.use({ viewport: { width: 1280, height: 800 } })

signedInTest(
  'a view is made by its form, with its columns looked at first and an error at its place; its definition has lines and colours',
  async ({ page, product }) => {
    await page.goto(product.url)
    await menuLink(page, 'Catalogs').click()
    await page.getByRole('link', { name: 'default_catalog' }).click()
    await page.getByRole('link', { name: 'sample', exact: true }).click()
    // It says how many there are once they are counted.
    await page
      .getByRole('radiogroup', { name: 'Object type' })
      .getByText(/^Views/)
      .click()
    await expect(page.getByRole('heading', { name: 'No views' })).toBeVisible()
    await takePictures(page, pictures, 'no-views')
    await page.getByRole('button', { name: 'Create view' }).click()
    const dialog = page.getByRole('dialog')
    const query = dialog.getByLabel('Query', { exact: true })
    await query.fill('drop table orders')
    await page.keyboard.press('Tab')
    await expect(dialog).toContainText('Enter a query that returns rows, such as SELECT')
    await query.fill('select o_orderkey, nope\nfrom sample.orders')
    await dialog.getByRole('button', { name: 'Preview columns' }).click()
    await expect(dialog).toContainText(/Line 1, column 20: .*nope/)
    await expect(query).toBeFocused()
    await takePictures(page, pictures, 'create-view-error')
    await query.fill(
      'select o_orderkey, o_totalprice as price\nfrom sample.orders\nwhere o_totalprice > 1000',
    )
    await dialog.getByRole('button', { name: 'Preview columns' }).click()
    await expect(dialog.getByRole('table', { name: 'Columns of the view' })).toContainText('price')
    await dialog.getByLabel('Comment of price').fill('In USD')
    await dialog.getByLabel('Comment (optional)').fill('Large orders')
    await dialog.getByLabel('Name', { exact: true }).fill('large_orders')
    await takePictures(page, pictures, 'create-view')
    await expectAccessibleBothWays(page, 'the form of a view')
    await dialog.getByRole('button', { name: 'Create view' }).click()
    await expect(page.getByRole('heading', { name: 'large_orders', level: 1 })).toBeVisible()
    await expect(page.getByText('Large orders')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Columns' })).toContainText('In USD')
    await page.getByRole('tab', { name: 'Create statement' }).click()
    const code = page.getByRole('region', { name: 'Create statement' })
    await expect(code).toContainText(/CREATE VIEW[^\n]* AS\nSELECT o_orderkey,\n/i)
    await expect(code.locator('[data-kind=keyword]').first()).toBeVisible()
    await takePictures(page, pictures, 'definition-of-a-view')
    await page.getByRole('button', { name: 'Actions of large_orders' }).click()
    await page.getByRole('menuitem', { name: 'Drop' }).click()
    await dialog.getByLabel('Type large_orders to confirm').fill('large')
    await page.keyboard.press('Tab')
    await expect(dialog.getByRole('alert')).toHaveText('Type the name exactly as shown')
    await dialog.getByLabel('Type large_orders to confirm').fill('large_orders')
    await dialog.getByRole('button', { name: 'Drop view' }).click()
    await expect(page.getByRole('heading', { name: 'sample', level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'Create table' }).click()
    await takePictures(page, pictures, 'create-table')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'orders', exact: true }).click()
    await page.getByRole('tab', { name: 'Create statement' }).click()
    await expect(code).toContainText(/CREATE TABLE[^\n]*\(\n {2}o_orderkey/i)
    await takePictures(page, pictures, 'definition-of-a-table')
  },
)

signedInTest(
  'a user’s page lists what they may do with the way to it, and the audit log speaks in words',
  async ({ page, product }) => {
    const { url, accountId } = product
    await page.goto(`${url}/local-1/${accountId}/admin/access/user/admin?tab=effective`)
    const list = page.getByRole('table', { name: 'Effective privileges' })
    await expect(list).toContainText('ALL TABLES')
    await expect(list.getByRole('link', { name: 'db_admin' }).first()).toBeVisible()
    await page.getByRole('searchbox', { name: 'Search objects and roles' }).fill('warehouse')
    await expect(list.getByRole('row').filter({ hasText: 'ALL TABLES' })).toHaveCount(0)
    await expect(list).toContainText('ALL WAREHOUSES')
    await takePictures(page, pictures, 'effective-privileges')
    await expectAccessibleBothWays(page, 'effective privileges')
    await page.goto(`${url}/local-1/${accountId}/admin/security?tab=audit`)
    const log = page.getByRole('table', { name: 'Entries of the audit log' })
    await expect(log).toBeVisible()
    await expect(log).not.toContainText(/\bnull\b|\bundefined\b/)
    await takePictures(page, pictures, 'audit')
    await page.getByLabel('From').focus()
    await takePictures(page, pictures, 'date-field')
  },
)
