import { SET_UP_STEPS, signUpCalls } from '@boathouse/contract/sign-up'
import type { Page } from '@playwright/test'
import { expectAccessibleBothWays } from './axe.ts'
import { greeting } from './console-page.ts'
import { expect, test } from './console-test.ts'
import { mailedLink } from './mailbox.ts'
import { SET_UP_MS } from './set-up-time.ts'

const PASSWORD = 'Rowing_2026'

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('First name').fill('Ana')
  await page.getByLabel('Last name').fill('Duarte')
  await page.getByLabel('Business email').fill(email)
  await page.getByLabel('Company').fill('Northwind Freight')
  await page.getByLabel('Country').selectOption({ label: 'Portugal' })
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
}

/** The page hears of the first step alone, however soon the set-up is done and however late it asks. */
async function whileItBegins(page: Page, look: () => Promise<void>): Promise<void> {
  const address = `**/api${signUpCalls.setUpProgress.path}`
  await page.route(address, async (route) => {
    const response = await route.fetch()
    const { data, ...rest } = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { ...rest, data: { ...data, step: SET_UP_STEPS[0] } } })
  })
  await look()
  await page.unroute(address)
}

test(`from the form of the free trial to the own account, then a new password, in light and dark [SIGNIN-10, SIGNIN-11, SIGNIN-15, SIGNIN-17, SIGNIN-19]`, async ({
  page,
  product,
}) => {
  const email = 'ana@northwind.example'
  await page.goto(`${product.url}/free-trial`)
  await page.getByRole('button', { name: 'Start free trial' }).click()
  await expect(page.getByText('Enter the first name')).toBeVisible()
  await expectAccessibleBothWays(page, 'the free-trial form with errors')
  await fillIn(page, email)
  await expectAccessibleBothWays(page, 'the free-trial form')
  await page.getByRole('button', { name: 'Start free trial' }).click()
  await expect(page.getByRole('heading', { name: 'Check your mailbox' })).toBeVisible()
  await expectAccessibleBothWays(page, 'the page that a sign-up was received')

  await page.goto(await mailedLink(product, email, '/active-mail'))
  await expect(page.getByRole('heading', { name: 'Welcome, Ana' })).toBeVisible()
  await expectAccessibleBothWays(page, 'the activation page')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await whileItBegins(page, async () => {
    await page.getByRole('button', { name: 'Confirm and set up account' }).click()
    await expect(page.getByRole('heading', { name: 'Setting up your account' })).toBeVisible()
    await expectAccessibleBothWays(page, 'the progress of a set-up')
  })
  await expect(page.getByRole('heading', { name: 'Your account is ready' })).toBeVisible({
    timeout: SET_UP_MS,
  })
  await expectAccessibleBothWays(page, 'the page of an account that is ready')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('User name').fill('ana')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(greeting(page)).toBeVisible()
  const trial = page.getByRole('dialog', { name: 'Your free trial has started' })
  await expect(trial).toContainText('30 days and 500 USD')
  await expectAccessibleBothWays(page, 'the dialog of a trial that has started')
  await trial.getByRole('button', { name: 'Start' }).click()
  await expect(trial).toBeHidden()
  await expect(page.getByText('Free trial: 30 days left')).toBeVisible()
  const [, , accountId = ''] = new URL(page.url()).pathname.split('/')

  await page.goto(`${product.url}/reset-password?aid=${accountId}`)
  await page.getByLabel('Email').fill(email)
  await expectAccessibleBothWays(page, 'the page that asks for a link')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your mailbox' })).toBeVisible()
  await page.goto(await mailedLink(product, email, '/reset-password'))
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('New password').fill('Sculling_7')
  await page.getByLabel('Confirm password').fill('Sculling_7')
  await expectAccessibleBothWays(page, 'the page that asks for a new password')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible()
  await page.goto(`${product.url}/free-trial-expired`)
  await expect(page.getByRole('heading', { name: 'Your free trial has ended' })).toBeVisible()
  await expectAccessibleBothWays(page, 'the page of an expired trial')
})
