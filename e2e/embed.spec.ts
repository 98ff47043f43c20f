import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callAs } from '@boathouse/client'
import { dashboard as calls } from '@boathouse/contract'
import type { Browser, Page } from '@playwright/test'
import { expectAccessibleBothWays } from './axe.ts'
import { expect, signedInTest as test } from './console-test.ts'
import { personOf } from './person.ts'
import type { Product } from './product.ts'
import { takePictures } from './schemes.ts'

const CHART_SQL = 'select month, 100 + month * 7 as arrivals from range(1, 13) months(month)'

/** Refreshed, and running as its owner. */
async function makeDashboard(me: Product): Promise<string> {
  const { login } = await personOf(me)
  const { dashboardId } = (await callAs(login, calls.create, { name: 'Harbour at a glance' })).dashboard
  const tiles = [
    { title: 'Arrivals', kind: 'chart', sql: CHART_SQL },
    { title: 'Busy months', kind: 'table', sql: `${CHART_SQL} where month > 6` },
    { title: 'About', kind: 'text', text: 'Counted at the pier.' },
  ] as const
  for (const tile of tiles) await callAs(login, calls.addTile, { dashboardId, tile })
  const settings = { viewers: 'private', runsAs: 'owner', schedule: null } as const
  await callAs(login, calls.changeSettings, { dashboardId, settings })
  await callAs(login, calls.refresh, { dashboardId })
  const kept = async () =>
    (await callAs(login, calls.results, { dashboardId })).results.filter(({ runId }) => runId).length
  await expect.poll(kept).toBe(2)
  return dashboardId
}

/** A website of somebody else, whose only page has this line. */
async function website(lineOf: () => string): Promise<{ origin: string; close: () => void }> {
  const server = createServer((_, answer) =>
    answer.setHeader('content-type', 'text/html').end(`<!doctype html><title>Wiki</title>${lineOf()}`),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

/** Somebody without a sign-in. */
const stranger = async (browser: Browser): Promise<Page> => (await browser.newContext()).newPage()

test('a dashboard is embedded in the pages of one website, opened by its link, and gone when that is revoked', async ({
  browser,
  page,
  me,
}) => {
  const look = (shown: Page, name: string) => takePictures(shown, process.env['EMBED_PICTURES'], name)
  const dashboardId = await makeDashboard(me)
  let line = ''
  const wiki = await website(() => line)
  const other = await website(() => line)
  const start = `${me.url}/local-1/${me.accountId}`

  await page.goto(`${start}/dashboards/${dashboardId}`)
  const openDialog = async () => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Embed' }).click()
    return page.getByRole('dialog', { name: 'Embed Harbour at a glance' })
  }
  await expect((await openDialog()).getByText(/^Embedding is switched off/)).toBeVisible()
  await look(page, 'embed-off')

  await page.goto(`${start}/admin/security?tab=embedding`)
  const allow = page.getByRole('switch', { name: 'Allow embedding of dashboards' })
  await allow.check()
  await expect(page.getByText('Owners create them in the menu of their dashboard.')).toBeVisible()

  await page.goto(`${start}/dashboards/${dashboardId}`)
  const dialog = await openDialog()
  await dialog.getByLabel(/^Websites/).fill('wiki')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByText(/^wiki is no website/)).toBeVisible()
  await dialog.getByLabel(/^Websites/).fill(`${wiki.origin}/a/page`)
  await look(page, 'embed-dialog')
  await expectAccessibleBothWays(page, 'the links of a dashboard')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const made = page.getByRole('dialog', { name: 'Link to Harbour at a glance' })
  await expect(made).toBeVisible()
  await look(page, 'embed-made')
  await expectAccessibleBothWays(page, 'a link that was created')
  const [address = '', frame = ''] = await made.locator('code').allTextContents()
  line = frame
  await made.getByRole('button', { name: 'Done' }).click()
  await expect(dialog.getByText(wiki.origin)).toBeVisible()

  const guest = await stranger(browser)
  await guest.goto(address)
  await expect(guest.getByRole('heading', { level: 1, name: 'Harbour at a glance' })).toBeVisible()
  await expect(guest.getByRole('slider', { name: /^Chart points/ })).toBeVisible()
  await expect(guest.getByRole('cell', { name: '184' })).toBeVisible()
  await expect(guest.getByText('Counted at the pier.')).toBeVisible()
  await expect(guest.getByRole('button')).toHaveCount(0)
  await look(guest, 'embedded')
  await expectAccessibleBothWays(guest, 'an embedded dashboard')
  await guest.goto(`${address}x`)
  await guest.reload()
  await expect(guest.getByText('This dashboard is not available')).toBeVisible()

  await guest.goto(wiki.origin)
  const inside = guest.frameLocator('iframe')
  await expect(inside.getByRole('heading', { level: 1, name: 'Harbour at a glance' })).toBeVisible()
  const refused = guest.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
  await guest.goto(other.origin)
  await refused
  await expect(inside.getByRole('heading', { level: 1 })).toHaveCount(0)

  await dialog.getByRole('button', { name: /^Revoke the link/ }).click()
  await page.getByRole('button', { name: 'Revoke link' }).click()
  await expect(dialog.getByText('No links yet')).toBeVisible()
  await guest.goto(address)
  await expect(guest.getByText(/^This link does not work/)).toBeVisible()
  await look(guest, 'embedded-revoked')
  wiki.close()
  other.close()
})
