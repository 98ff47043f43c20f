import { boathouse } from './command.ts'
import { expectAccessibleBothWays } from './axe.ts'
import { menuLink } from './console-page.ts'
import { expect, signedInTest } from './console-test.ts'
import { operator } from './operator.ts'
import { takePictures } from './schemes.ts'

const ENDPOINT = 'vpce-0a1b2c3d4e5f67890'

signedInTest(
  'a private link is asked for, approved by the operator and deleted; the audit log records it, is verified and exported [SEC-01, SEC-02, SEC-03, SEC-16, SEC-21, SEC-22, SEC-23]',
  async ({ page, product }) => {
    const look = (name: string) => takePictures(page, process.env['SECURITY_PICTURES'], name)
    const { url, accountId } = product
    await page.goto(`${url}/local-1/${accountId}/home`)
    await menuLink(page, 'Security settings').click()
    await page.getByRole('tab', { name: 'Private link' }).click()
    await expect(page.getByText('No VPC endpoints yet')).toBeVisible()
    await look('private-link-empty')
    await expectAccessibleBothWays(page, 'no endpoints')

    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const form = page.getByRole('dialog', { name: 'Add VPC endpoint' })
    await form.getByRole('button', { name: 'Submit request' }).click()
    await expect(form.getByText('Please enter endpoint ID')).toBeVisible()
    await form.getByLabel('VPC endpoint ID').fill(ENDPOINT)
    await form.getByLabel('AWS account ID').fill('123456789012')
    await form.getByLabel('Region of the endpoint').fill('eu-west-1')
    await form.getByLabel('Region of the endpoint').press('Tab')
    await expect(form.getByText(/You entered eu-west-1/)).toBeVisible()
    await look('private-link-form')
    await expectAccessibleBothWays(page, 'the form of an endpoint')
    await form.getByLabel('Region of the endpoint').fill('local-1')
    await form.getByLabel('Region of the endpoint').press('Enter')
    const endpoints = page.getByRole('table', { name: 'VPC endpoints' })
    await expect(endpoints.getByText('Pending', { exact: true })).toBeVisible()
    await expect(page.getByText(/^It seems that we have not received a connection request/)).toBeVisible()
    await look('private-link-pending')
    await expectAccessibleBothWays(page, 'an endpoint that waits')

    const waiting = await operator(product, 'private-link', 'list', '--status', 'pending')
    expect(waiting).toMatchObject([{ account: accountId, endpointId: ENDPOINT, creator: product.user }])
    await operator(product, 'private-link', 'approve', accountId, ENDPOINT)
    await expect(endpoints.getByText('Available', { exact: true })).toBeVisible()
    await operator(product, 'private-link', 'reject', accountId, ENDPOINT, '--reason', 'Not in the contract')
    await page.reload()
    await expect(endpoints.getByText('Not in the contract')).toBeVisible()
    await look('private-link-rejected')
    await page.getByRole('button', { name: `Delete ${ENDPOINT}` }).click()
    await page.getByRole('button', { name: 'Delete endpoint' }).click()
    await expect(page.getByText('No VPC endpoints yet')).toBeVisible()

    await page.getByRole('tab', { name: 'Private link' }).press('ArrowRight')
    await page.getByRole('tab', { name: 'Embedding' }).press('ArrowRight')
    await expect(page.getByRole('table', { name: 'Sign-ins' }).getByText(product.user).first()).toBeVisible()
    await look('sign-ins')
    await expectAccessibleBothWays(page, 'the log of sign-ins')
    await page.getByRole('tab', { name: 'Sign-ins' }).press('ArrowRight')
    const entries = page.getByRole('table', { name: 'Entries of the audit log' })
    await expect(entries.getByText('private_link.delete')).toBeVisible()
    await page.getByRole('combobox', { name: 'Object type' }).click()
    await page.getByRole('option', { name: 'private_link' }).click()
    await expect(entries.getByRole('row')).toHaveCount(5)
    await expect(entries.getByRole('row').nth(2)).toContainText('Not in the contract')
    await look('audit')
    await expectAccessibleBothWays(page, 'the audit log')
    await page.getByRole('button', { name: 'Verify log' }).click()
    await expect(page.getByText(/entries are intact and none is missing$/)).toBeVisible()
    await page
      .getByRole('button', { name: /^Details of entry/ })
      .nth(1)
      .click()
    const drawer = page.getByRole('dialog', { name: /^Entry \d+$/ })
    await expect(drawer.getByText(/^Verified at [-\d :]+ UTC\S*$/)).toBeVisible()
    await look('audit-entry')
    await expectAccessibleBothWays(page, 'an entry of the audit log')
    await drawer.press('Escape')
    await expect(drawer).toBeHidden()

    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download log' }).click()
    const saved = await saving
    expect(saved.suggestedFilename()).toBe(`audit-${accountId}.jsonl`)
    const copy = await boathouse(['audit', 'verify', '--file', await saved.path(), '--json'])
    const heads = await operator<object[]>(product, 'audit', 'verify', accountId)
    expect([copy.code, JSON.parse(copy.stdout)]).toEqual([0, heads])
  },
)
