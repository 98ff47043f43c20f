import { expectAccessibleBothWays } from './axe.ts'
import { comeIn } from './console-page.ts'
import { expect, test } from './console-test.ts'
import { mailedLink } from './mailbox.ts'
import { createUser, operator } from './operator.ts'

const MAIL = 'keeper@boats.example'

test('an administrator without a mail address adds one in the profile, and confirms it by the mailed link', async ({
  page,
  product,
}) => {
  const keeper = await createUser(product, 'keeper', ['account_admin'])
  await comeIn(page, { ...product, ...keeper })
  await page.getByRole('button', { name: /User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  const profile = page.getByRole('dialog', { name: 'User settings' })
  await expect(profile).toContainText('You have no mail address')
  await profile.getByRole('button', { name: 'Add mail address' }).click()
  const form = profile.getByRole('form', { name: 'Mail address' })
  await form.getByLabel('New mail address').fill(MAIL)
  await form.getByLabel('Your password').fill('Wrong_pass1')
  await form.getByRole('button', { name: 'Send link' }).click()
  await expect(form).toContainText('The current password is wrong.')
  await form.getByLabel('Your password').fill(keeper.password)
  await expectAccessibleBothWays(page, 'the form of a mail address')
  await form.getByRole('button', { name: 'Send link' }).click()
  await expect(profile).toContainText(`We sent a link to ${MAIL}`)
  await expect(profile, 'the product of a test has no mail server').toContainText('There is no mail server')

  await page.goto(await mailedLink(product, MAIL, '/confirm-email'))
  await expect(page.getByText(`${MAIL} becomes the mail address`)).toBeVisible()
  await expectAccessibleBothWays(page, 'the page that confirms an address')
  await page.getByRole('button', { name: 'Confirm address' }).click()
  await expect(page.getByRole('heading', { name: 'Your mail address is confirmed' })).toBeVisible()
  const users = await operator<{ name: string; email: string }[]>(product, 'user', 'list', product.accountId)
  expect(users.find(({ name }) => name === 'keeper')?.email).toBe(MAIL)
})
