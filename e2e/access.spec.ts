import type { Page } from '@playwright/test'
import { expectAccessibleBothWays } from './axe.ts'
import { enterAccount, enterUser, greeting, menuLink } from './console-page.ts'
import { expect, signedInTest } from './console-test.ts'
import type { Product } from './product.ts'
import { watchForTrouble } from './trouble.ts'

const PASSWORD = 'Rowing_2026'

const NOBODY = { cookies: [], origins: [] }

/** Another person in another browser. */
async function signInAs(page: Page, product: Product, user: string): Promise<void> {
  await page.goto(product.url)
  await enterAccount(page, product.accountId)
  await enterUser(page, { user, password: PASSWORD })
  await expect(greeting(page)).toBeVisible()
}

const accessAddress = ({ url, accountId }: Product, rest = ''): string =>
  `${url}/local-1/${accountId}/admin/access${rest}`

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** From all tables to one of them, a level at a click. */
async function openInTree(page: Page, ...names: string[]): Promise<void> {
  for (const name of names)
    await page.getByRole('treeitem', { name: new RegExp(`^${name}( All tables)?$`) }).click()
}

signedInTest.use({ viewport: { width: 1280, height: 720 } })

signedInTest(
  `an administrator gives and takes, and the analyst's console follows without a reload, in light and dark [ROLE-02, ROLE-03, ROLE-12, ROLE-13, ROLE-31, ROLE-35, ROLE-37, ROLE-38, ROLE-39, ROLE-40, SHELL-23, SHELL-24, SHELL-25]`,
  async ({ page, product, browser }) => {
    // Two browsers and every dialog of the pages: more than a minute on a busy machine.
    signedInTest.slow()
    const analyst = 'ana'
    const role = 'crew'

    // A role, with a privilege on one table of the sample data.
    await page.goto(`${product.url}/local-1/${product.accountId}/home`)
    await menuLink(page, 'User & Role').click()
    await expect(page.getByRole('table', { name: 'Roles' })).toContainText('account_admin')
    await expectAccessibleBothWays(page, 'the list of roles')
    await page.getByRole('button', { name: 'Create role' }).click()
    await page.getByLabel('Role name').fill(role)
    await page.getByLabel('Comment').fill('Reads what dashboards need')
    await expectAccessibleBothWays(page, 'the form of a role')
    await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click()
    await expect(page.getByRole('heading', { name: role, level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'Grant privileges' }).click()
    const dialog = page.getByRole('dialog')
    await openInTree(page, 'default_catalog', 'sample', 'orders')
    await dialog.getByRole('checkbox', { name: 'SELECT' }).check()
    await dialog.getByRole('switch', { name: 'With grant option' }).check()
    await expect(dialog.getByText('Nobody has this role')).toBeVisible()
    await expectAccessibleBothWays(page, 'the dialog that grants privileges')
    await dialog.getByRole('button', { name: 'Grant', exact: true }).click()
    await expect(page.getByRole('table', { name: 'Granted privileges' })).toContainText(
      'TABLE default_catalog.sample.orders',
    )
    await expectAccessibleBothWays(page, 'the detail of a role')

    // The role inherits one that opens a page.
    await page.getByRole('tab', { name: 'Inheritance' }).click()
    await page.getByRole('button', { name: 'Inherit role' }).click()
    await choose(page, 'Role', 'cluster_admin')
    await dialog.getByRole('button', { name: 'Inherit role' }).click()
    await page.getByRole('button', { name: 'Grant admin privileges' }).click()
    await expect(page.getByRole('link', { name: 'cluster_admin' })).toBeVisible()
    await expectAccessibleBothWays(page, 'how a role inherits')

    // A user with a password and no role yet.
    await page.goto(accessAddress(product, '?tab=user'))
    await expect(page.getByRole('table', { name: 'Users' })).toContainText(product.user)
    await expectAccessibleBothWays(page, 'the list of users')
    await page.getByRole('button', { name: 'Create user' }).click()
    await dialog.getByLabel('User name').fill(analyst)
    await dialog.getByText('Set a password').click()
    await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await expectAccessibleBothWays(page, 'the form of a user')
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await expect(page.getByRole('heading', { name: analyst, level: 1 })).toBeVisible()

    // Two browsers side by side.
    const elsewhere = await browser.newContext({ storageState: NOBODY })
    const trouble = watchForTrouble(elsewhere)
    const other = await elsewhere.newPage()
    await signInAs(other, product, analyst)
    await expect(menuLink(other, 'Warehouses')).toHaveCount(0)
    await page.getByRole('button', { name: 'Grant role' }).click()
    await choose(page, 'Role', role)
    await expect(dialog.getByText('1 user gains privileges on 3 objects')).toBeVisible()
    await dialog.getByRole('button', { name: 'Grant role' }).click()
    await page.getByRole('button', { name: 'Grant admin privileges' }).click()
    await expect(page.getByRole('table', { name: 'Granted roles' })).toContainText(role)
    await expect(menuLink(other, 'Warehouses')).toBeVisible()
    await menuLink(other, 'Warehouses').click()
    await expect(other.getByRole('button', { name: 'Create warehouse' })).toBeEnabled()

    // Why may they?
    await page.getByRole('tab', { name: 'Explain access' }).click()
    await openInTree(page, 'default_catalog', 'sample', 'orders')
    await expect(page.getByRole('list', { name: 'Access path' })).toContainText(
      'SELECT on TABLE default_catalog.sample.orders',
    )
    await expectAccessibleBothWays(page, 'why a user may')

    // The analyst switches the role off: the menu follows, and the page becomes the no-permission page.
    await other.getByRole('button', { name: /User menu of / }).click()
    await other.getByRole('menuitem', { name: 'Roles' }).click()
    await expect(other.getByText('1 of 1 roles activated')).toBeVisible()
    await expectAccessibleBothWays(other, 'the own roles')
    await other.getByRole('switch', { name: role }).click()
    await other.getByRole('button', { name: 'Save' }).click()
    await expect(other.getByText('0 of 1 roles activated')).toBeVisible()
    await other.getByRole('button', { name: 'Close' }).click()
    await expect(other.getByText('This page requires the role cluster_admin.')).toBeVisible()
    await expect(menuLink(other, 'Warehouses')).toHaveCount(0)
    await page.getByRole('tab', { name: 'Granted roles' }).click()
    await expect(page.getByRole('row', { name: new RegExp(role) })).toContainText('Inactive')

    // The administrator deletes them: their login ends at once.
    await page.getByRole('button', { name: `Actions of ${analyst}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByLabel(`Type ${analyst} to confirm`).fill(analyst)
    await expectAccessibleBothWays(page, 'the dialog before a user is deleted')
    await dialog.getByRole('button', { name: 'Delete user' }).click()
    await expect(page.getByRole('table', { name: 'Users' })).not.toContainText(analyst)
    await expect(other.getByRole('dialog', { name: 'Login timed out' })).toBeVisible()
    await elsewhere.close()
    expect(trouble).toEqual([])
  },
)
