import type { Page } from '@playwright/test'
import { expectAccessibleBothWays } from './axe.ts'
import {
  comeIn,
  dropSql,
  enterUser,
  greeting,
  menuLink,
  newQuery,
  openEditor,
  resultRows,
  runSql,
  signIn,
} from './console-page.ts'
import { expect, test } from './console-test.ts'
import { mailedLink } from './mailbox.ts'
import { operator } from './operator.ts'
import { SET_UP_MS } from './set-up-time.ts'

const MAIL = 'grace@harbour.example'
const GRACE = { user: 'grace', password: 'Rowing_2026' }

/** By the link in the mail, to the home page of the new account. */
async function acceptInvitation(page: Page, link: string): Promise<string> {
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill(GRACE.password)
  await page.getByLabel('Confirm password').fill(GRACE.password)
  await expectAccessibleBothWays(page, 'the page of an invitation')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('link', { name: /sign.in/i }).click()
  await enterUser(page, GRACE)
  await expect(greeting(page)).toHaveText('Welcome, grace')
  return new URL(page.url()).pathname.split('/')[2] ?? ''
}

test('an account from its creation to its end: invited, used beside another, frozen, resumed, deleted [ACCOUNT-20, ACCOUNT-21, ACCOUNT-22, ACCOUNT-23, ACCOUNT-34, ACCOUNT-51, ACCOUNT-79, SIGNIN-16, SHELL-27, SHELL-65]', async ({
  page,
  browser,
  product,
}) => {
  test.slow()
  await comeIn(page, product)
  await menuLink(page, 'Org & Account').click()
  await expect(page.getByRole('table', { name: 'Accounts' })).toContainText(product.accountId)
  await expectAccessibleBothWays(page, 'the page of accounts')
  await page.getByRole('button', { name: 'Create account' }).click()
  const form = page.getByRole('dialog', { name: 'Create account' })
  await form.getByRole('button', { name: 'Create account' }).click()
  await expect(form.getByLabel('Account name')).toBeFocused()
  await expectAccessibleBothWays(page, 'the form of an account with errors')
  await form.getByLabel('Account name').fill('Harbour')
  await form.getByLabel('Administrator user name').fill('grace')
  await form.getByLabel('Administrator business email').fill(MAIL)
  await form.getByRole('button', { name: 'Create account' }).click()
  await expect(form).toBeHidden()
  const row = page.getByRole('row', { name: /Harbour/ })
  await expect(row).toContainText('Available', { timeout: SET_UP_MS })
  await page.getByRole('button', { name: 'Harbour', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Account Harbour' })).toContainText(MAIL)
  await expectAccessibleBothWays(page, 'the detail of an account')
  await page.keyboard.press('Escape')

  const context = await browser.newContext()
  try {
    const grace = await context.newPage()
    const aid = await acceptInvitation(grace, await mailedLink(product, MAIL, '/setup-password'))
    expect(aid).not.toBe(product.accountId)

    // Each sees its own, under the same names.
    await openEditor(page)
    await newQuery(page)
    await runSql(page, "create table sample.mine as select 'demo' as whose")
    await openEditor(grace)
    await newQuery(grace)
    await runSql(grace, 'create warehouse grace_wh')
    await runSql(grace, 'set warehouse grace_wh')
    await runSql(grace, "create table mine as select 'harbour' as whose")
    await runSql(grace, 'select * from mine')
    await expect.poll(() => resultRows(grace)).toEqual([['harbour']])
    await runSql(page, 'select * from sample.mine')
    await expect.poll(() => resultRows(page)).toEqual([['demo']])
    await dropSql(page, 'drop table sample.mine')

    await operator(product, 'account', 'freeze', aid)
    const frozen = grace.getByRole('dialog', { name: 'Account frozen' })
    await expect(frozen).toContainText('Account has been frozen, Please contact management.')
    await expectAccessibleBothWays(grace, 'the dialog of a frozen account')
    await operator(product, 'account', 'resume', aid)
    await expect(frozen).toBeHidden()
    await expect(grace.getByRole('dialog')).toHaveCount(0)
    await runSql(grace, 'select * from mine')
    await expect.poll(() => resultRows(grace)).toEqual([['harbour']])

    await menuLink(grace, 'Org & Account').click()
    await grace.getByRole('button', { name: 'Actions of Harbour' }).click()
    await grace.getByRole('menuitem', { name: 'Delete account' }).click()
    const release = grace.getByRole('dialog', { name: 'Delete account Harbour?' })
    await release.getByLabel('Type Harbour to confirm').fill('Harbour')
    await expectAccessibleBothWays(grace, 'the dialog before an account is deleted')
    await release.getByRole('button', { name: 'Send confirmation mail' }).click()
    await expect(grace.getByRole('dialog', { name: 'Confirm by mail' })).toContainText(MAIL)
    await expectAccessibleBothWays(grace, 'the dialog that a mail was sent')
    await grace.goto(await mailedLink(product, MAIL, '/admin/account'))
    const confirm = grace.getByRole('dialog', { name: 'Delete account' })
    await expect(confirm).toBeVisible()
    await expectAccessibleBothWays(grace, 'the last question before an account is deleted')
    await confirm.getByRole('button', { name: 'Delete account' }).click()
    await expect(grace.getByLabel('User name')).toBeVisible()
    await enterUser(grace, GRACE)
    await expect(grace.getByRole('alert')).toHaveText('Login failed: Invalid account or password.')
    await menuLink(page, 'Org & Account').click()
    await expect(page.getByRole('row', { name: /Harbour/ })).toContainText('Deleting')
  } finally {
    await context.close()
  }
})

test('who signs in to another account in another window of the browser has left the first one [SHELL-34, SHELL-65, SHELL-66]', async ({
  page,
  context,
  product,
}) => {
  const email = 'lin@quay.example'
  const [{ org }] = await operator<[{ org: string }]>(product, 'org', 'list')
  const words = ['account', 'create', org, 'Quay', '--admin', 'lin', '--email', email]
  const { account } = await operator<{ account: string }>(product, ...words)
  const stateNow = async () =>
    (await operator<{ account: string; state: string }[]>(product, 'account', 'list')).find(
      (row) => row.account === account,
    )?.state
  await expect.poll(stateNow, { timeout: SET_UP_MS }).toBe('Available')
  await signIn(page, product)
  await page.getByRole('button', { name: /User menu of / }).click()
  await page.getByRole('menuitem', { name: 'Switch account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Switch account' })
  await expect(dialog.getByText('Current account')).toBeVisible()
  await expectAccessibleBothWays(page, 'the choice of another account')
  const opening = context.waitForEvent('page')
  await dialog.getByRole('link', { name: /Quay/ }).click()
  const other = await opening
  await expect(other).toHaveURL(new RegExp(`/login\\?step=signin&aid=${account}`))
  await other.goto(await mailedLink(product, email, '/setup-password'))
  await other.getByLabel('Password', { exact: true }).fill('Rowing_2026')
  await other.getByLabel('Confirm password').fill('Rowing_2026')
  await other.getByRole('button', { name: 'Set password' }).click()
  await other.getByRole('link', { name: /sign.in/i }).click()
  await enterUser(other, { user: 'lin', password: 'Rowing_2026' })
  await expect(greeting(other)).toHaveText('Welcome, lin')
  await expect(page).toHaveURL(new RegExp(`/login\\?step=signin&aid=${product.accountId}`))
  await expect(page.getByText('Quay')).toHaveCount(0)
  await operator(product, 'account', 'delete', account, '--confirm', account)
})
