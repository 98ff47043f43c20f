import { expectAccessibleBothWays } from './axe.ts'
import { expect, signedInTest as test } from './console-test.ts'

test('a role of AWS is registered by the four steps of its guide, and deleted again [INT-06, INT-07, INT-18, INT-19, INT-20, INT-21]', async ({
  page,
  product,
}) => {
  const arn = 'arn:aws:iam::123456789012:role/reader'
  await page.goto(`${product.url}/local-1/${product.accountId}/integration/aws-iam-role`)
  for (const step of [
    'Create a policy and a role.',
    'Set the trust relationship.',
    'Register the role.',
    'Use the role in a catalog.',
  ])
    await expect(page.getByText(step)).toBeVisible()
  // The trust policy has the external ID of this account.
  await expect(page.getByText(new RegExp(`"sts:ExternalId": "${product.accountId}-`)).first()).toBeVisible()
  const panel = page.getByRole('region', { name: 'Registered roles' }).first()
  await expect(panel.getByText('No roles registered yet')).toBeVisible()
  const field = panel.getByLabel('IAM role ARN')
  const register = panel.getByRole('button', { name: 'Register role' })
  await register.click()
  await expect(panel.getByText('IAM Role ARN is required')).toBeVisible()
  await field.fill('reader')
  await register.click()
  await expect(panel.getByText('Please check whether your IAM Role ARN is valid')).toBeVisible()
  await field.fill(arn)
  await register.click()
  const table = panel.getByRole('table', { name: 'Registered roles' })
  await expect(table).toContainText(arn)
  await expect(table).toContainText(product.user)
  await field.fill(arn)
  await register.click()
  await expect(panel.getByText('This IAM role is already registered in this account')).toBeVisible()
  await expectAccessibleBothWays(page, 'the roles of AWS')
  // This installation has no AWS keys, and says so.
  await panel.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByText('BOATHOUSE_AWS_ACCESS_KEY').last()).toBeVisible()
  await panel.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete role' }).click()
  await expect(panel.getByText('No roles registered yet')).toBeVisible()
})
