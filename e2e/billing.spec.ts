import { expectAccessibleBothWays } from './axe.ts'
import { comeIn, menuLink } from './console-page.ts'
import { expect, test } from './console-test.ts'

test('usage and billing: a card that is declined, one whose bank asks, and what is kept of it [CARD-09, CARD-22, BILL-06]', async ({
  page,
  product,
}) => {
  await comeIn(page, product)
  await menuLink(page, 'Usage & billing').click()
  await expect(page.getByRole('group', { name: 'Month to date' })).toContainText('USD')
  await expectAccessibleBothWays(page, 'the overview of billing')
  await page.getByRole('button', { name: 'Add card' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add card' })
  const form = dialog.locator('form')
  await expect(form).toBeVisible()
  await expect(form).toHaveCSS('min-height', '250px')
  await expectAccessibleBothWays(page, 'the card form')
  const enter = async (number: string) => {
    await dialog.getByLabel('Card number').fill(number)
    await dialog.getByLabel('Expires').fill('12/39')
    await dialog.getByLabel('Security code').fill('123')
    await dialog.getByRole('button', { name: 'Add card' }).click()
  }
  await enter('4000 0000 0000 0002')
  await expect(dialog.getByRole('alert')).toHaveText(
    'Failed to add credit card. Please try again or change another credit card.',
  )
  await enter('4000 0027 6000 3184')
  await expect(dialog.getByRole('button', { name: 'Confirm' })).toBeVisible()
  await expectAccessibleBothWays(page, 'the question of the bank')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('tab', { name: 'Payment details' }).click()
  const details = page.getByRole('region', { name: 'Payment details' })
  await expect(details).toContainText('3184')
  await expect(details).toContainText('2039-12')
  await page.getByRole('tab', { name: 'Billing history' }).click()
  await expect(page.getByText('No invoices yet')).toBeVisible()
  await expectAccessibleBothWays(page, 'the billing history')
  await page.getByRole('tab', { name: 'Usage', exact: true }).click()
  await expectAccessibleBothWays(page, 'usage')

  await page.getByRole('tab', { name: 'Budgets' }).click()
  await page.getByRole('button', { name: 'Set budget' }).click()
  const budget = page.getByRole('dialog', { name: 'Set budget' })
  await budget.getByLabel('USD per month').fill('much')
  await budget.getByRole('button', { name: 'Save budget' }).click()
  await expect(budget.getByText('Enter an amount in USD, for example 250 or 99.50')).toBeVisible()
  await expectAccessibleBothWays(page, 'the form of a budget')
  await budget.getByLabel('USD per month').fill('99999')
  await budget.getByRole('button', { name: 'Save budget' }).click()
  const row = page.getByRole('table', { name: 'Budgets' }).getByRole('row', { name: /organisation/ })
  await expect(row).toContainText('99999.00')
  await expect(row).toContainText('Notify only')
  await expectAccessibleBothWays(page, 'the budgets')
  await row.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('button', { name: 'Remove budget', exact: true }).click()
  await expect(page.getByText('No budgets')).toBeVisible()
})
