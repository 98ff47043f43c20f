import { expectAccessibleBothWays } from './axe.ts'
import {
  comeIn,
  enterAccount,
  enterUser,
  greeting,
  menuLink,
  newQuery,
  openEditor,
  resultRows,
  runSql,
} from './console-page.ts'
import { expect, test } from './console-test.ts'
import { mailedLink } from './mailbox.ts'
import { operator } from './operator.ts'
import { startProduct } from './product.ts'
import { takePictures } from './schemes.ts'
import { SET_UP_MS } from './set-up-time.ts'
import { freePort } from '../server/src/testing/free-port.ts'

const PICTURES = process.env['REGION_PICTURES']
const MAIL = 'grace@harbour.example'
const GRACE = { user: 'grace', password: 'Rowing_2026' }

/** Two installations, each with its database and data directory, that know each other as central and regional server. */
async function startBoth() {
  const [centralPort, regionPort] = [String(await freePort()), String(await freePort())]
  const central = await startProduct({
    env: {
      BOATHOUSE_HTTP_PORT: centralPort,
      BOATHOUSE_REGIONS: `eu-1@aws=http://127.0.0.1:${regionPort}`,
      BOATHOUSE_REGIONS_SECRET: 'only the central server has this secret',
    },
  })
  try {
    const { secret } = await operator<{ secret: string }>(central, 'region', 'secret', 'eu-1')
    const region = await startProduct({
      begins: 'empty',
      env: {
        BOATHOUSE_HTTP_PORT: regionPort,
        BOATHOUSE_REGION: 'eu-1',
        BOATHOUSE_CSP: 'aws',
        BOATHOUSE_CENTRAL_URL: central.url,
        BOATHOUSE_CENTRAL_SECRET: secret,
      },
    })
    return { central, region }
  } catch (error) {
    await central.stop()
    throw error
  }
}

test('two servers are one service: an account is created in the other region, signed in to from either page, and used there [REAL-05]', async ({
  page,
  browser,
}) => {
  test.slow()
  const { central, region } = await startBoth()
  const context = await browser.newContext()
  try {
    await comeIn(page, central)
    await menuLink(page, 'Org & Account').click()
    await page.getByRole('button', { name: 'Create account' }).click()
    const form = page.getByRole('dialog', { name: 'Create account' })
    await form.getByLabel('Account name').fill('Harbour')
    await form.getByRole('combobox', { name: 'Cloud provider' }).click()
    await page.getByRole('option', { name: 'AWS' }).click()
    await expect(form.getByRole('combobox', { name: 'Region' })).toHaveValue('eu-1')
    await takePictures(page, PICTURES, 'create-account')
    await expectAccessibleBothWays(page, 'the form of an account with a choice of regions')
    await form.getByLabel('Administrator user name').fill(GRACE.user)
    await form.getByLabel('Administrator business email').fill(MAIL)
    await form.getByRole('button', { name: 'Create account' }).click()
    await expect(form).toBeHidden()
    const row = page.getByRole('row', { name: /Harbour/ })
    await expect(row).toContainText('AWS · eu-1')
    await expect(row).toContainText('Available', { timeout: SET_UP_MS })
    await takePictures(page, PICTURES, 'accounts')

    // The region mails the invitation, and its page is that of the region.
    const grace = await context.newPage()
    await grace.goto(await mailedLink(region, MAIL, '/setup-password'))
    expect(new URL(grace.url()).origin).toBe(region.url)
    await grace.getByLabel('Password', { exact: true }).fill(GRACE.password)
    await grace.getByLabel('Confirm password').fill(GRACE.password)
    await grace.getByRole('button', { name: 'Set password' }).click()
    await expect(grace.getByRole('link', { name: /sign.in/i })).toBeVisible()

    // The sign-in page of the central server leads to that of the region.
    const accountId = (await row.locator('code').first().textContent()) ?? ''
    await grace.goto(`${central.url}/login?step=account`)
    await enterAccount(grace, accountId)
    await expect.poll(() => new URL(grace.url()).origin).toBe(region.url)
    await enterUser(grace, GRACE)
    await expect(greeting(grace)).toHaveText('Welcome, grace')
    expect(new URL(grace.url()).pathname).toBe(`/eu-1/${accountId}/home`)

    await openEditor(grace)
    await newQuery(grace)
    await runSql(grace, 'create warehouse grace_wh')
    await runSql(grace, 'set warehouse grace_wh')
    await runSql(grace, 'select 40 + 2 as answer')
    await expect.poll(() => resultRows(grace)).toEqual([['42']])

    // The list of accounts is the same there, and leads back.
    await menuLink(grace, 'Org & Account').click()
    await expect(grace.getByRole('row', { name: new RegExp(central.accountId) })).toContainText('root')
    await expect(grace.getByRole('row', { name: /Harbour/ })).toContainText('AWS · eu-1')

    // What its page of the central server does not have, it sends on.
    await grace.goto(`${central.url}/eu-1/${accountId}/home`)
    await expect.poll(() => new URL(grace.url()).origin).toBe(region.url)

    const status = () => operator<{ region: string; problem: string | null }[]>(central, 'region', 'list')
    await expect.poll(status).toMatchObject([{ region: 'eu-1', problem: null }])
  } finally {
    await context.close()
    await region.stop()
    await central.stop()
  }
})
