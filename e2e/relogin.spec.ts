import type { Page } from '@playwright/test'
import { expectAccessibleBothWays } from './axe.ts'
import {
  enterAccount,
  enterUser,
  greeting,
  newQuery,
  openEditor,
  resultRows,
  results,
  sendSql,
  sqlText,
  writeSql,
} from './console-page.ts'
import { expect, test } from './console-test.ts'
import { createUser, resetPassword } from './operator.ts'
import { SLOW, SLOW_MS } from './slow-sql.ts'

const alert = (page: Page) => page.getByRole('dialog', { name: 'Login timed out' })

test('whose login ends signs in again over the page: what ran, what was typed and what was open is there in every window [SIGNIN-44, SIGNIN-45, SIGNIN-46, SIGNIN-47]', async ({
  page,
  context,
  product,
}) => {
  const rower = await createUser(product, 'rower', ['db_admin', 'cluster_admin'])
  await page.goto(product.url)
  await enterAccount(page, product.accountId)
  await enterUser(page, rower)
  await expect(greeting(page)).toBeVisible()
  await openEditor(page)
  await newQuery(page)

  const other = await context.newPage()
  await other.goto(`${product.url}/local-1/${product.accountId}/admin/warehouse`)
  await other.getByRole('button', { name: 'Create warehouse' }).click()
  const form = other.getByRole('dialog', { name: 'Create warehouse' })
  await form.getByLabel('Name', { exact: true }).fill('half_typed')

  await sendSql(page, SLOW)
  await expect(page.getByRole('button', { name: 'Stop', exact: true })).toBeVisible()
  const again = await resetPassword(product, rower.user)
  await expect(alert(page)).toContainText('Your login to the product has timed out. Please try again.')
  await expectAccessibleBothWays(page, 'the alert of a login that has timed out')
  await alert(page).getByRole('button', { name: 'Sign in' }).click()
  await expectAccessibleBothWays(page, 'sign-in over the page')
  await expect(alert(page).getByLabel('User name')).toHaveValue('rower')
  await expect(alert(page).getByLabel('Password', { exact: true })).toBeFocused()
  await expect(alert(other).getByLabel('User name')).toHaveValue('rower')

  await page.keyboard.type('Rowing_1999')
  await page.keyboard.press('Enter')
  await expect(alert(page).getByRole('alert')).toHaveText('Login failed: Invalid account or password.')
  await expect(alert(page).getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(again.password)
  await page.keyboard.press('Enter')
  await expect(alert(page)).toBeHidden()
  await expect(results(page).getByText('Finished', { exact: true })).toBeVisible({ timeout: SLOW_MS })
  await expect.poll(() => resultRows(page)).toHaveLength(1)
  await expect.poll(() => sqlText(page)).toBe(SLOW)
  await writeSql(page, 'select 42 as answer')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(page.getByRole('banner').getByText('Connected', { exact: true })).toBeVisible()

  await expect(alert(other)).toBeHidden()
  await expect(form.getByLabel('Name', { exact: true })).toHaveValue('half_typed')
  await form.getByRole('button', { name: 'Create warehouse' }).click()
  await expect(other.getByRole('heading', { name: 'half_typed' })).toBeVisible()
  await other.getByRole('button', { name: 'Actions of half_typed' }).click()
  await other.getByRole('menuitem', { name: 'Delete' }).click()
  await other.getByLabel('Type half_typed to confirm').fill('half_typed')
  await other.getByRole('button', { name: 'Delete warehouse' }).click()
  await expect(other.getByRole('table', { name: 'Warehouses' })).not.toContainText('half_typed')
})
