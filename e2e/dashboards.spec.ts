import { callAs } from '@boathouse/client'
import { dashboard as calls } from '@boathouse/contract'
import type { Locator, Page } from '@playwright/test'
import { expectAccessibleBothWays } from './axe.ts'
import { menuLink, openNewQuery, results, runSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import { tellFigure } from './figures.ts'
import { personOf } from './person.ts'
import type { Product } from './product.ts'

test.use({ asUser: 'lighthousekeeper' })

const tile = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const SQL = 'select month, 100 + month * 7 as arrivals from range(1, 13) months(month)'

/** Made by calls, with all tiles refreshed. */
async function makeDashboard(me: Product, name: string, tiles: number): Promise<string> {
  const { login } = await personOf(me)
  const { dashboardId } = (await callAs(login, calls.create, { name })).dashboard
  for (let at = 1; at <= tiles; at++)
    await callAs(login, calls.addTile, {
      dashboardId,
      tile: {
        title: `Tile ${at}`,
        kind: at % 3 === 0 ? 'table' : 'chart',
        sql: `${SQL} where month > ${at % 4}`,
      },
    })
  await callAs(login, calls.refresh, { dashboardId })
  await expect
    .poll(
      async () =>
        (await callAs(login, calls.results, { dashboardId })).results.filter((one) => one.runId).length,
    )
    .toBe(tiles)
  return dashboardId
}

test('a chart comes to a dashboard with two clicks, and is moved, resized, filtered, shared and deleted there', async ({
  page,
  me,
}) => {
  await openNewQuery(page, me)
  await runSql(page, SQL)
  await results(page).getByText('Chart', { exact: true }).click()
  await results(page).getByRole('button', { name: 'Add to dashboard' }).click()
  await page.getByRole('menuitem', { name: 'New dashboard' }).click()
  await expect(page.getByText(/^The chart is on the dashboard Untitled/).first()).toBeVisible()

  await menuLink(page, 'Dashboards').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboards' })).toBeVisible()
  await expectAccessibleBothWays(page, 'dashboards')
  await page
    .getByRole('table', { name: 'Dashboards' })
    .getByRole('link', { name: /^Untitled/ })
    .click()
  const title = page.getByRole('heading', { level: 1, name: /^Untitled/ })
  // Until it is there, the heading is that of the list.
  await expect(title).toBeVisible()
  const chart = tile(page, (await title.textContent()) ?? '')
  await expect(chart.getByRole('slider', { name: /^Chart points/ })).toBeVisible()
  await expectAccessibleBothWays(page, 'a dashboard')

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByLabel('Name').fill('Harbour')
  await page.getByRole('button', { name: 'Add tile' }).click()
  const form = page.getByRole('dialog', { name: 'Add tile' })
  await form.getByText('Table', { exact: true }).click()
  await form.getByRole('button', { name: 'Add tile' }).click()
  await expect(form.getByText('Enter a query')).toBeVisible()
  await form.getByLabel('Title').fill('Busy months')
  await form.getByLabel('Query').fill(`${SQL} where 100 + month * 7 > {{least}}`)
  await expectAccessibleBothWays(page, 'the form of a tile')
  await form.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('region', { name: 'Filters' }).getByLabel(':least').fill('150')
  const handle = page.getByRole('button', { name: 'Move Busy months' })
  await handle.focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('status').filter({ hasText: 'Busy months: column 6, row 1' })).toBeAttached()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Resize Busy months' }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('status').filter({ hasText: '5 wide' })).toBeAttached()
  await expectAccessibleBothWays(page, 'a dashboard that is edited')
  await menuLink(page, 'Home').click()
  await page
    .getByRole('dialog', { name: 'Discard your changes?' })
    .getByRole('button', { name: 'Cancel' })
    .click()
  await page.getByRole('button', { name: 'Save dashboard' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Harbour' })).toBeVisible()

  const rows = page.getByRole('region', { name: 'Rows of Busy months' }).getByRole('row')
  await expect(rows).toHaveCount(6)
  await page.getByLabel(':least').fill('180')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect(rows).toHaveCount(2)
  await expect(page).toHaveURL(/values=/)
  await page.reload()
  await expect(rows).toHaveCount(2)

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Share and schedule' }).click()
  const settings = page.getByRole('dialog', { name: 'Share and schedule Harbour' })
  await settings.getByLabel('Who can see it').click()
  await page.getByRole('option', { name: 'Everyone in the account' }).click()
  await settings.getByText('You', { exact: true }).click()
  await expect(settings.getByText(/All viewers see what you can read/)).toBeVisible()
  await settings.getByLabel('Refresh automatically').click()
  await page.getByRole('option', { name: 'Every hour' }).click()
  await expectAccessibleBothWays(page, 'the settings of a dashboard')
  await settings.getByRole('button', { name: 'Save settings' }).click()
  await expect(page.getByText(/^Next refresh/)).toBeVisible()
  await expect(rows).toHaveCount(2)

  await page.getByRole('button', { name: 'More actions' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Save as PNG' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('Harbour.png')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete dashboard' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete dashboard' }).click()
  await expect(page.getByText('The dashboard is deleted.').first()).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboards' })).toBeVisible()
})

test('a tile that fails says why, and an unknown dashboard is said to be one', async ({ page, me }) => {
  const { login } = await personOf(me)
  const { dashboardId } = (await callAs(login, calls.create, { name: 'Wrecks' })).dashboard
  await callAs(login, calls.addTile, {
    dashboardId,
    tile: { title: 'Lost', kind: 'table', sql: 'select * from no_such_harbour' },
  })
  const address = `${me.url}/local-1/${me.accountId}/dashboards`
  await page.goto(`${address}/${dashboardId}`)
  await expect(tile(page, 'Lost')).toContainText('no_such_harbour')
  await expectAccessibleBothWays(page, 'a tile that failed')
  await page.goto(`${address}/00000000-0000-4000-8000-000000000000`)
  await expect(page.getByRole('heading', { name: 'There is no such dashboard' })).toBeVisible()
})

test('on a phone, the tiles are below one another in reading order', async ({ page, me }) => {
  const dashboardId = await makeDashboard(me, 'Pocket', 3)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${me.url}/local-1/${me.accountId}/dashboards/${dashboardId}`)
  await expect(tile(page, 'Tile 3').getByRole('table')).toBeVisible()
  const boxes = await Promise.all([1, 2, 3].map((at) => tile(page, `Tile ${at}`).boundingBox()))
  const [first, second, third] = boxes
  expect(new Set(boxes.map((box) => box?.x)).size).toBe(1)
  expect(first?.y).toBeLessThan(second?.y ?? 0)
  expect(second?.y).toBeLessThan(third?.y ?? 0)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
})

/** Milliseconds from a click on the link until the first frame with so many pictures and tables, as the page sees it. */
async function clickToTiles(
  page: Page,
  link: Locator,
  { charts, tables }: { charts: number; tables: number },
) {
  const painted = await page.evaluateHandle(
    ({ charts, tables }) => {
      const clickedToPainted = new Promise<number>((resolve) => {
        let clickedAt = 0
        addEventListener('click', ({ timeStamp }) => (clickedAt = timeStamp), { capture: true, once: true })
        const count = (selector: string) => document.querySelectorAll(selector).length
        const observer = new MutationObserver(() => {
          if (count('[role=slider] svg') < charts || count('[role=region] table') < tables) return
          observer.disconnect()
          // The frame after the next one begins when the next one has been drawn.
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - clickedAt)))
        })
        observer.observe(document.body, { childList: true, subtree: true })
      })
      return { clickedToPainted }
    },
    { charts, tables },
  )
  await link.click()
  return painted.evaluate((handle) => handle.clickedToPainted)
}

const middle = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0

test('a dashboard of 12 tiles is painted from kept results', { tag: '@measured' }, async ({ page, me }) => {
  await makeDashboard(me, 'Twelve', 12)
  await makeDashboard(me, 'Single', 1)
  const open = async (name: string, tiles: { charts: number; tables: number }): Promise<number> => {
    // Whatever the page has in its memory is gone.
    await page.goto(`${me.url}/local-1/${me.accountId}/dashboards`)
    const link = page.getByRole('link', { name })
    await expect(link).toBeVisible()
    return clickToTiles(page, link, tiles)
  }
  const twelve: number[] = []
  const single: number[] = []
  for (let turn = 0; turn < 7; turn++) {
    twelve.push(await open('Twelve', { charts: 8, tables: 4 }))
    single.push(await open('Single', { charts: 1, tables: 0 }))
  }
  const ratio = middle(twelve) / middle(single)
  tellFigure(
    `12 tiles from kept results, from click to paint  ${middle(twelve).toFixed(0)} ms of 500 ms, ${ratio.toFixed(2)}× one tile`,
  )
  // The page and its code are most of it: what tiles add must not be twelve times one.
  expect(ratio).toBeLessThan(6)
})
