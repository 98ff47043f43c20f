import { expectAccessibleBothWays } from './axe.ts'
import { menuLink, openNewQuery, resultRows, runSql } from './console-page.ts'
import { expect, signedInTest } from './console-test.ts'

signedInTest(
  `a warehouse from its creation to its end, in light and dark [SHELL-21, SHELL-22, SHELL-30, WH-01, WH-08, WH-24, WH-25, WH-26]`,
  async ({ page, product }) => {
    const name = 'journey'
    await page.goto(`${product.url}/local-1/${product.accountId}/home`)
    await menuLink(page, 'Warehouses').click()
    await expect(page.getByRole('table', { name: 'Warehouses' })).toContainText('default_warehouse')
    await expectAccessibleBothWays(page, 'the list of warehouses')

    await page.getByRole('button', { name: 'Create warehouse' }).click()
    const form = page.getByRole('dialog', { name: 'Create warehouse' })
    await form.getByLabel('Name', { exact: true }).fill(name)
    await expectAccessibleBothWays(page, 'the form of a warehouse')
    await form.getByRole('button', { name: 'Create warehouse' }).click()
    await expect(page.getByRole('heading', { name })).toBeVisible()
    await expect(page.getByText('Running', { exact: true })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Activity' })).toContainText('Create')
    // Measured of the engine's process, between two looks.
    const cpu = page.getByRole('group', { name: 'CPU utilisation' })
    await expect(cpu).toContainText('%')
    await expect(page.getByText('No statements are running.')).toBeVisible()
    await expect(page.getByRole('table', { name: 'Nodes' })).toContainText('Plans and computes')
    await page.getByRole('button', { name: `Actions of ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Diagnostics' }).click()
    const bundle = page.getByRole('dialog', { name: `Diagnostics of ${name}` })
    await expect(bundle.getByRole('region')).toContainText('"about": "warehouse"')
    await expectAccessibleBothWays(page, 'the diagnostics of a warehouse')
    await bundle.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('button', { name: 'Grant', exact: true }).click()
    await page.getByLabel('User', { exact: true }).fill('nobody_of_that_name')
    await page.getByRole('button', { name: 'Grant usage' }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
    await expectAccessibleBothWays(page, 'the dialog that grants its use')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expectAccessibleBothWays(page, 'the detail of a warehouse')
    const address = page.url()

    // Elsewhere it is suspended; here the channel notifies the page.
    const other = await page.context().newPage()
    await openNewQuery(other, product)
    await runSql(other, `suspend warehouse ${name}`)
    await other.close()
    await expect(page.getByText('Suspended', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect(page.getByText('Running', { exact: true })).toBeVisible()

    await page.getByRole('button', { name: 'Suspend' }).click()
    await expectAccessibleBothWays(page, 'the dialog before a suspend')
    await page.getByRole('button', { name: 'Suspend warehouse' }).click()
    await expect(page.getByText('Suspended', { exact: true })).toBeVisible()

    await page.getByRole('button', { name: `Actions of ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByLabel(`Type ${name} to confirm`).fill(name)
    await page.getByRole('button', { name: 'Delete warehouse' }).click()
    await expect(page.getByRole('table', { name: 'Warehouses' })).not.toContainText(name)

    await page.goto(address)
    await expect(page.getByRole('alert')).toBeVisible()
    await page.goto(`${product.url}/local-1/${product.accountId}/add-cluster`)
    await expect(page.getByRole('heading', { name: 'Create warehouse' })).toBeVisible()
    await expect(menuLink(page, 'Home')).toHaveCount(0)
    await expectAccessibleBothWays(page, 'the first step of a new warehouse')
    await page.getByLabel('Name', { exact: true }).fill('stepwise')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('radio', { name: /^Medium/ }).check()
    await expectAccessibleBothWays(page, 'the sizes of a new warehouse')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByRole('complementary', { name: 'New warehouse' })).toContainText('Medium')
    await expectAccessibleBothWays(page, 'the last step of a new warehouse')
  },
)

signedInTest('what is suspended here is resumed by the next statement', async ({ page, product }) => {
  await page.goto(`${product.url}/local-1/${product.accountId}/admin/warehouse`)
  const row = page.getByRole('row', { name: /default_warehouse/ })
  await openNewQuery(page, product)
  await runSql(page, 'select 42 as answer')
  await page.goto(`${product.url}/local-1/${product.accountId}/admin/warehouse`)
  await expect(row).toContainText('Running')
  await page.getByRole('button', { name: 'Actions of default_warehouse' }).click()
  await page.getByRole('menuitem', { name: 'Suspend' }).click()
  await page.getByRole('button', { name: 'Suspend warehouse' }).click()
  await expect(row).toContainText('Suspended')
  await openNewQuery(page, product)
  await runSql(page, 'select 43 as answer')
  await expect.poll(() => resultRows(page)).toEqual([['43']])
})
