import { expectAccessibleBothWays } from './axe.ts'
import { expect, signedInTest } from './console-test.ts'

signedInTest('the API reference is searched, and a call of it is tried', async ({ page, product }) => {
  await page.goto(`${product.url}/local-1/${product.accountId}/guide/reference`)
  await page.getByRole('searchbox', { name: 'Search calls' }).fill('list warehouses')
  await expect(page.getByText(/^\d calls?$/)).toBeVisible()
  await expectAccessibleBothWays(page, 'calls that were found')
  await page.getByRole('searchbox', { name: 'Search calls' }).press('ArrowDown')
  await expect(page.getByRole('link', { name: /^\/api\// }).first()).toBeFocused()
  await page.getByRole('link', { name: /\/api\/warehouse\/list/ }).press('Enter')
  await expect(page.getByRole('heading', { name: 'POST /api/warehouse/list', level: 1 })).toBeVisible()
  await page.getByText('TypeScript', { exact: true }).click()
  await expect(page.getByText('boathouse.api.warehouse.list()')).toBeVisible()
  await page.getByRole('textbox', { name: 'Body' }).press('Control+Enter')
  await expect(page.getByText(/^HTTP 200, 20000, /)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Answer' })).toContainText('default_warehouse')
  await expectAccessibleBothWays(page, 'a call and its answer')

  await page.goto(`${product.url}/local-1/${product.accountId}/guide/reference#editor/create-tab-folder`)
  // What the comments of the contract say is part of the built product.
  await expect(page.getByRole('heading', { name: /create-tab-folder/, level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Run call' }).click()
  const dialog = page.getByRole('dialog', { name: 'Run /api/editor/create-tab-folder?' })
  await expectAccessibleBothWays(page, 'the question before a call that changes something')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText(/^HTTP \d/)).toHaveCount(0)
})
