import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expectAccessibleBothWays } from './axe.ts'
import { enterAccount, enterUser, menuLink, newQuery, openEditor, runSql, sendSql } from './console-page.ts'
import { expect, test } from './console-test.ts'
import { mailedLink } from './mailbox.ts'
import { SET_UP_MS } from './set-up-time.ts'
import { newClock } from './moved-clock.ts'
import { operator } from './operator.ts'
import { type Product, startProduct } from './product.ts'

const EMAIL = 'ana@northwind.example'
const PASSWORD = 'Rowing_2026'

async function signUp(page: Page, product: Product): Promise<string> {
  await page.goto(`${product.url}/free-trial`)
  await page.getByLabel('First name').fill('Ana')
  await page.getByLabel('Last name').fill('Duarte')
  await page.getByLabel('Business email').fill(EMAIL)
  await page.getByLabel('Company').fill('Northwind Freight')
  await page.getByLabel('Country').selectOption({ label: 'Portugal' })
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Start free trial' }).click()
  await page.goto(await mailedLink(product, EMAIL, '/active-mail'))
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Confirm and set up account' }).click()
  await expect(page.getByRole('heading', { name: 'Your account is ready' })).toBeVisible({
    timeout: SET_UP_MS,
  })
  await page.getByRole('link', { name: 'Sign in' }).click()
  await enterUser(page, { user: 'ana', password: PASSWORD })
  await page.getByRole('dialog', { name: 'Your free trial has started' }).getByRole('button').last().click()
  return new URL(page.url()).pathname.split('/')[2] ?? ''
}

/** Long enough to have a share in what the warehouse cost. */
const OARS = 'select count(*) as oars from range(30000000)'

async function enterCard(dialog: Locator, number: string): Promise<void> {
  await dialog.getByLabel('Card number').fill(number)
  await dialog.getByLabel('Expires').fill('12/39')
  await dialog.getByLabel('Security code').fill('123')
  await dialog.getByRole('button', { name: 'Add card' }).click()
}

/** The login has ended long before the next visit. */
async function leave(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear())
  await page.close()
}

const mailsOf = async (product: Product): Promise<string[]> =>
  (await operator<{ to: string; kind: string }[]>(product, 'outbox', 'list'))
    .filter(({ to }) => to === EMAIL)
    .map(({ kind }) => kind)

test('from the free trial to a card, to the first invoice, to its receipt: declined, refused later, challenged and paid', async ({
  context,
}) => {
  test.slow()
  const clock = await newClock(new Date('2027-05-02T09:00:00Z'))
  const product = await startProduct({
    begins: 'empty',
    env: { ...clock.env, BOATHOUSE_SAMPLE_DATA: 'false' },
  })
  try {
    let page = await clock.newPage(context)
    const accountId = await signUp(page, product)
    await menuLink(page, 'Usage & billing').click()
    await expect(page.getByRole('group', { name: 'Trial credit left' })).toContainText('500.00 USD')
    await leave(page)

    // A month in one step can fall between the two things that one look at trials does.
    await clock.moveTo(new Date('2027-05-31T09:30:00Z'))
    await expect.poll(() => mailsOf(product)).toContain('trialEnding')
    await clock.moveTo(new Date('2027-06-01T09:30:00Z'))
    await expect.poll(() => mailsOf(product)).toContain('trialEnded')
    // Hours that began in the trial are free.
    await clock.moveTo(new Date('2027-06-02T10:00:00Z'))
    page = await clock.newPage(context)
    await page.goto(product.url)
    await enterAccount(page, accountId)
    await enterUser(page, { user: 'ana', password: PASSWORD })
    const frozen = page.getByRole('dialog').filter({ hasText: 'Add a card to continue' })
    await enterCard(frozen, '4000 0000 0000 0002')
    await expect(frozen.getByRole('alert')).toHaveText(
      'Failed to add credit card. Please try again or change another credit card.',
    )
    // It is bound, and refuses every charge.
    await enterCard(frozen, '4000 0000 0000 0341')
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await openEditor(page)
    await newQuery(page)
    await runSql(page, OARS)
    // What runs while the days pass would be paid for.
    await sendSql(page, 'suspend warehouse default_warehouse')
    await menuLink(page, 'Warehouses').click()
    await expect(page.getByRole('row', { name: /default_warehouse/ })).toContainText('Suspended')
    await leave(page)

    await clock.moveTo(new Date('2027-07-01T00:01:00Z'))
    await expect.poll(() => mailsOf(product)).toContain('paymentFailed')
    page = await clock.newPage(context)
    await page.goto(product.url)
    await enterAccount(page, accountId)
    await enterUser(page, { user: 'ana', password: PASSWORD })
    await menuLink(page, 'Usage & billing').click()
    await page.getByRole('tab', { name: 'Billing history' }).click()
    const history = page.getByRole('table', { name: 'Billing history' })
    const june = history.getByRole('row', { name: /June 2027/ })
    await expect(june).toContainText('Declined, retrying')
    await expectAccessibleBothWays(page, 'the history with a declined charge')

    await page.getByRole('button', { name: 'Change card' }).click()
    const change = page.getByRole('dialog', { name: 'Change card' })
    await enterCard(change, '4000 0027 6000 3184')
    await change.getByRole('button', { name: 'Confirm' }).click()
    await expect(change).toBeHidden()
    await expect(june).toContainText('Paid')
    const saved = page.waitForEvent('download')
    await june.getByRole('button', { name: /^Receipt of 2027-06/ }).click()
    const receipt = await readFile(await (await saved).path(), 'latin1')
    // What it says is read by pdftotext in the tests with tools.
    expect(receipt).toMatch(/^%PDF-/)

    await june.getByRole('button', { name: /^Explain/ }).click()
    const explained = page.getByRole('dialog', { name: /^Explain invoice 2027-06/ })
    await expect(explained).toContainText('Due')
    await expectAccessibleBothWays(page, 'an explained invoice')
    await explained.getByRole('button', { name: 'default_warehouse' }).click()
    await explained.getByRole('button', { name: /^2027-06-02 1\d:00/ }).click()
    await expect(explained.getByText(OARS)).toBeVisible()
    await expect(explained.getByRole('table', { name: 'Statements' })).toContainText('ana')
  } finally {
    await product.stop()
    await clock.remove()
  }
})
