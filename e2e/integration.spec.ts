import { expectAccessibleBothWays } from './axe.ts'
import { menuLink } from './console-page.ts'
import { expect, signedInTest } from './console-test.ts'
import { operator } from './operator.ts'
import { takePictures } from './schemes.ts'

interface Asked {
  readonly request: number
  readonly application: string
}

signedInTest(
  'a tool is found, its guide is followed, and the page says who came in [INT-01, INT-02, INT-03, INT-04, INT-05, INT-14, SHELL-17, SHELL-18]',
  async ({ page, product }) => {
    const look = (name: string) => takePictures(page, process.env['INTEGRATION_PICTURES'], name)
    const { url, accountId, user, password } = product
    await page.goto(`${url}/local-1/${accountId}/home`)
    await menuLink(page, 'Integrations').click()
    await expect(page.getByRole('heading', { name: 'Connect to your applications' })).toBeVisible()
    await look('integrations')
    await expectAccessibleBothWays(page, 'the list of integrations')
    for (const [tab, card] of [
      ['Cloud', 'AWS IAM role'],
      ['BI Tools', 'Apache Superset'],
      ['Others', 'Streaming API'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      await expect(page.getByRole('tabpanel').getByRole('link', { name: card })).toBeVisible()
    }
    await page.getByRole('searchbox', { name: 'Search guides' }).fill('http request')
    await page.getByRole('tabpanel').getByRole('link', { name: 'Streaming API' }).click()
    await expect(page.getByRole('heading', { name: 'Streaming API', level: 1 })).toBeVisible()
    await expect(page).toHaveURL(/\/integration\/streaming-api$/)
    await expect(page.getByText(`${new URL(url).host}/api/main/boats/_stream_load`).first()).toBeVisible()

    await page.getByRole('button', { name: 'Test this connection' }).click()
    await expect(page.getByText(/Waiting for a connection/)).toBeVisible()
    await look('integration-waits')
    await expectAccessibleBothWays(page, 'a test that waits')
    const comeIn = (secret: string) =>
      fetch(`${url}/api/main/boats/_stream_load`, {
        method: 'PUT',
        body: '1',
        headers: {
          authorization: `Basic ${Buffer.from(`${accountId}.${user}:${secret}`).toString('base64')}`,
          'user-agent': 'rowing/1.0',
        },
      })
    await comeIn('Not_my_1_password')
    await expect(page.getByText('The password or API key is wrong.')).toBeVisible()
    await comeIn(password)
    const seen = page.getByRole('region', { name: 'Test this connection' })
    await expect(seen.getByText('The program has signed in. It is ready to use.')).toBeVisible()
    await expect(seen.getByText('rowing/1.0').first()).toBeVisible()
    await expect(seen.getByText(`${user} (you)`).first()).toBeVisible()
    await expect(seen.getByText('Stream load').first()).toBeVisible()
    await look('integration-connected')
    await expectAccessibleBothWays(page, 'a program that came in')
  },
)

signedInTest(
  'an integration is requested, the operator answers, and the answer is a notification [INT-24, INT-25]',
  async ({ page, product }) => {
    const look = (name: string) => takePictures(page, process.env['INTEGRATION_PICTURES'], name)
    await page.goto(`${product.url}/local-1/${product.accountId}/integration`)
    await page.getByRole('button', { name: 'Request an integration' }).click()
    const form = page.getByRole('dialog', { name: 'Request integration' })
    await form.getByRole('button', { name: 'Send request' }).click()
    await expect(form.getByText('Application name is required.')).toBeVisible()
    await look('integration-request')
    await expectAccessibleBothWays(page, 'the form of a request')
    await form.getByLabel('Application name').fill('Looker')
    await form.getByLabel('What do you want to do with it?').fill('Sales reports for 20 people')
    await form.getByLabel('Address of its documentation').fill('https://example.com/looker')
    await form.getByRole('button', { name: 'Send request' }).click()
    await expect(page.getByText('Waiting for an answer')).toBeVisible()

    const [asked] = await operator<Asked[]>(product, 'requests', 'list')
    expect(asked?.application).toBe('Looker')
    const number = String(asked?.request)
    expect(await operator(product, 'requests', 'show', number)).toMatchObject({
      user: product.user,
      useCase: 'Sales reports for 20 people',
    })
    await operator(product, 'requests', 'answer', number, '--text', 'Choose MySQL in Looker.')
    await page.reload()
    await expect(page.getByText('Choose MySQL in Looker.')).toBeVisible()
    await page.getByRole('button', { name: /notifications/i }).click()
    await expect(page.getByText('Your request for an integration was answered.')).toBeVisible()
    await look('integration-answered')
  },
)
