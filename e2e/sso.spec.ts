import { CLIENT, openIssuer } from '../server/src/testing/open-issuer.ts'
import { expectAccessible, expectAccessibleBothWays } from './axe.ts'
import {
  comeIn,
  enterAccount,
  greeting,
  menuLink,
  newQuery,
  openEditor,
  sqlText,
  writeSql,
} from './console-page.ts'
import { expect, test } from './console-test.ts'
import { operator, resetPassword } from './operator.ts'
import { type Product, startProduct } from './product.ts'

/** The newest that confirms a single sign-on. */
async function mailedLink(product: Product, to: string): Promise<string> {
  const newest = async () => {
    const mails = await operator<{ mail: string; to: string; kind: string }[]>(product, 'outbox', 'list')
    return mails.find((one) => one.to === to && one.kind === 'ssoConfirmation')?.mail ?? ''
  }
  await expect.poll(newest).not.toBe('')
  return (await operator<{ link: string }>(product, 'outbox', 'show', await newest())).link
}

test('an issuer is set up, somebody signs in by it, and again over the page when that login ends [SIGNIN-18, SHELL-28, REAL-06]', async ({
  page,
  browser,
}) => {
  let productUrl = ''
  const issuer = await openIssuer(() => `${productUrl}/sso-redirect`)
  const product = await startProduct({ env: { BOATHOUSE_SSO_ENDPOINTS: issuer.url } })
  productUrl = product.url
  const context = await browser.newContext()
  try {
    await comeIn(page, product)
    await menuLink(page, 'Security settings').click()
    await expect(page.getByText('Not set up')).toBeVisible()
    await expect(page.getByText(`${product.url}/sso-redirect`)).toBeVisible()
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page.getByText('Enter the issuer')).toBeVisible()
    await expectAccessible(page, 'the settings of single sign-on with errors')
    await page.getByLabel('Issuer').fill(`${issuer.url}/nowhere`)
    await page.getByLabel('Client ID').fill(CLIENT.id)
    await page.getByLabel('Client secret').fill(CLIENT.secret)
    await page.getByRole('button', { name: 'Save settings' }).click()
    // Every failure of an issuer is reported after the same 5 s, so that the time does not show its cause.
    await expect(page.getByRole('alert')).toBeVisible()
    await page.getByLabel('Issuer').fill(issuer.url)
    await page.getByRole('button', { name: 'Save settings' }).click()
    await expect(page.getByText('On', { exact: true })).toBeVisible()
    await expect(page.getByLabel('Client secret')).toHaveValue('')
    await expectAccessibleBothWays(page, 'the settings of single sign-on')

    await operator(product, 'user', 'create', product.accountId, 'ada', '--email', 'ada@example.com')
    const person = await context.newPage()
    await person.goto(product.url)
    await enterAccount(person, product.accountId)
    await person.getByRole('button', { name: 'Sign in with single sign-on' }).click()
    await expect(person.getByRole('heading', { name: 'Confirm by mail' })).toBeVisible()
    await expectAccessible(person, 'the page that tells of the mail')
    await person.goto(await mailedLink(product, 'ada@example.com'))
    await expect(person.getByRole('button', { name: 'Connect and sign in' })).toBeVisible()
    await expectAccessibleBothWays(person, 'the page of the mailed link')
    await person.getByRole('button', { name: 'Connect and sign in' }).click()
    await expect(greeting(person)).toHaveText('Welcome, ada')

    await openEditor(person)
    await newQuery(person)
    await resetPassword(product, 'ada')
    const alert = person.getByRole('dialog', { name: 'Login timed out' })
    await expect(alert).toBeVisible()
    await alert.getByRole('button', { name: 'Sign in' }).click()
    const opening = context.waitForEvent('page')
    await alert.getByRole('button', { name: 'Sign in with single sign-on' }).click()
    const popup = await opening
    await expect(alert).toBeHidden()
    // It may have closed before anybody could listen for that.
    await expect.poll(() => popup.isClosed()).toBe(true)
    await writeSql(person, 'select 42 as answer')
    await expect(person.getByText('Saved', { exact: true })).toBeVisible()
    await expect.poll(() => sqlText(person)).toBe('select 42 as answer')

    await page.getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByRole('dialog', { name: 'Remove single sign-on?' })).toBeVisible()
    await expectAccessible(page, 'the question before single sign-on is removed')
    await page.getByRole('button', { name: 'Remove settings' }).click()
    await expect(page.getByText('Not set up')).toBeVisible()
  } finally {
    await context.close()
    await issuer.close()
    await product.stop()
  }
})
