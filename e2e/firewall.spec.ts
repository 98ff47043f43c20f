import { expectAccessible, expectAccessibleBothWays } from './axe.ts'
import { comeIn, greeting, menuLink } from './console-page.ts'
import { expect, test } from './console-test.ts'
import { newClock } from './moved-clock.ts'
import { operator } from './operator.ts'
import { startProduct } from './product.ts'
import { takePictures } from './schemes.ts'

const PICTURES = process.env['FIREWALL_PICTURES']

test('who cuts themselves off sees for how long, somebody who is let in decides, and the operator opens a door that is shut [SEC-06, SEC-13, SEC-15, SHELL-94, SHELL-96]', async ({
  page,
  browser,
}) => {
  const clock = await newClock(new Date())
  const product = await startProduct({ env: { ...clock.env, BOATHOUSE_TRUST_PROXY: '1' } })
  const office = await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': '198.51.100.7' } })
  try {
    await comeIn(page, product)
    await menuLink(page, 'Security settings').click()
    await page.getByRole('tab', { name: 'Firewall' }).click()
    await expect(page.getByText('127.0.0.1', { exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No rules yet' })).toBeVisible()
    await expectAccessibleBothWays(page, 'the firewall without rules')
    await takePictures(page, PICTURES, 'firewall-empty')

    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByRole('button', { name: 'Save rule' }).click()
    await expect(page.getByText('Enter rule name')).toBeVisible()
    await expect(page.getByText('Enter valid IPV4 addresses')).toBeVisible()
    await page.getByLabel('Name', { exact: true }).fill('Home')
    await page.getByLabel('Allowed addresses').fill('192.0.2.0/24, 127.0.0.1')
    await page.getByRole('dialog').getByRole('switch').uncheck()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('cell', { name: 'Home', exact: true })).toBeVisible()
    await takePictures(page, PICTURES, 'firewall-rules')
    await expectAccessibleBothWays(page, 'the rules of the firewall')

    const guard = await office.newPage()
    await comeIn(guard, product)
    await menuLink(guard, 'Security settings').click()
    await expect(guard.getByRole('tab', { name: 'Firewall' })).toBeVisible()

    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Office')
    await page.getByLabel('Allowed addresses').fill('198.51.100.0/24')
    await expect(page.getByText('127.0.0.1 loses access')).toBeVisible()
    await takePictures(page, PICTURES, 'firewall-warning')
    await expectAccessible(page, 'the warning of who would be cut off')
    const cutOffAt = new Date()
    /** The change lasts a minute, in which a busy machine does not get through all of this. */
    const holdTime = () => clock.moveTo(cutOffAt)
    await page.getByRole('button', { name: 'Save rule' }).click()
    await expect(page.getByRole('heading', { name: 'Your IP address is blocked' })).toBeVisible()
    await expect(page.getByRole('timer')).toContainText('It is reverted in')
    await takePictures(page, PICTURES, 'firewall-cut-off')
    await expectAccessibleBothWays(page, 'the page of who has cut themselves off')

    await holdTime()
    await guard.getByRole('tab', { name: 'Firewall' }).click()
    const asked = guard.getByRole('dialog', { name: 'Keep firewall change?' })
    await expect(asked.getByRole('timer')).toContainText('The change is reverted in')
    await takePictures(guard, PICTURES, 'firewall-trial')
    await expectAccessible(guard, 'the question whether a change of the firewall is kept')
    await holdTime()
    await asked.getByRole('button', { name: 'Keep change' }).click()
    await expect(guard.getByText('Firewall change kept.')).toBeVisible()

    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('blocks requests from 127.0.0.1')).toBeVisible()
    await expect(page.getByRole('timer')).toBeHidden()
    await operator(product, 'firewall', 'off', product.accountId)
    // The page recovers automatically.
    await expect(page.getByText('Off: all addresses have access')).toBeVisible()
    await menuLink(page, 'Home').click()
    await expect(greeting(page)).toBeVisible()
  } finally {
    await office.close()
    await product.stop()
    await clock.remove()
  }
})
