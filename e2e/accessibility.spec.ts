import { expectAccessibleBothWays } from './axe.ts'
import {
  enterAccount,
  enterUser,
  failure,
  greeting,
  grid,
  openNewQuery,
  runSql,
  sendSql,
} from './console-page.ts'
import { expect, test } from './console-test.ts'

test('every page keeps to WCAG, levels A and AA, in light and dark [SHELL-04, SHELL-82]', async ({
  page,
  product,
}) => {
  test.slow()
  await page.goto(product.url)
  await expect(page.getByLabel('Account ID')).toBeVisible()
  await expectAccessibleBothWays(page, 'the account step')
  await enterAccount(page, product.accountId)
  await expectAccessibleBothWays(page, 'the user step')
  await enterUser(page, { user: product.user, password: '' })
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expectAccessibleBothWays(page, 'the user step with an error')
  await enterUser(page, product)
  await expect(greeting(page)).toBeVisible()
  await expect(page.getByRole('main').getByText(product.accountId, { exact: true })).toBeVisible()
  await expectAccessibleBothWays(page, 'home')

  await page.getByRole('button', { name: /User menu of / }).click()
  const logOut = page.getByRole('menuitem', { name: 'Log out' })
  await expect(logOut).toBeVisible()
  await expectAccessibleBothWays(page, 'the user menu')
  await logOut.click()
  await expect(page.getByRole('dialog', { name: 'Log out?' })).toBeVisible()
  await expectAccessibleBothWays(page, 'the logout dialog')

  await openNewQuery(page, product)
  await runSql(page, `select 1 as id, 'text' as words, null as nothing, date '2026-01-05' as day`)
  await grid(page).focus()
  await expectAccessibleBothWays(page, 'the editor with rows')
  await runSql(page, 'select 1 from')
  await expect(failure(page)).toBeVisible()
  await expectAccessibleBothWays(page, 'the editor with an error')
  await sendSql(page, 'select count(*) from range(100000000000) t(i) where i % 7 = 3')
  const stop = page.getByRole('button', { name: 'Stop', exact: true })
  await expect(stop).toBeVisible()
  await expectAccessibleBothWays(page, 'the editor with a running statement')
  await stop.click()

  await page.goto(`${product.url}/404`)
  await expect(page.getByRole('heading', { name: /404/ })).toBeVisible()
  await expectAccessibleBothWays(page, 'the 404 page')
  await page.goto(`${product.url}/401`)
  const text = 'It seems you do not have permission to use this function, please contact the account admin.'
  await expect(page.getByText(text)).toBeVisible()
  await expectAccessibleBothWays(page, 'the 401 page')
})
