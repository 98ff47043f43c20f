import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { grid, openNewQuery, resultRows, results, runSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'

/** Every control of a result is moved from where it begins, and what it says is what happens. */

test.use({ permissions: ['clipboard-read', 'clipboard-write'], timezoneId: 'Asia/Kolkata' })
test.beforeEach(({ page, product }) => openNewQuery(page, product))

const FLEET = `select * from (values
  (1, 'skiff', 1200, timestamptz '2026-03-01 09:05:07+00', {'crew': 4}),
  (2, 'dory', 34567, timestamptz '2026-03-02 22:00:00+00', {'crew': 2}),
  (3, 'punt', 9, null, null)) t(id, name, price, bought, more) order by id`

const headers = (page: Page): Promise<string[]> =>
  grid(page)
    .getByRole('columnheader')
    .evaluateAll((all) => all.map((one) => one.textContent).filter(Boolean))
const header = (page: Page, name: string): Locator =>
  grid(page).getByRole('columnheader', { name: new RegExp(`^${name}`) })
const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

async function columnMenu(page: Page, name: string, entry: string): Promise<void> {
  await header(page, name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

async function copyAs(page: Page, format: string): Promise<void> {
  await results(page).getByRole('button', { name: 'Copy', exact: true }).click()
  await page.getByRole('menuitem', { name: format, exact: true }).click()
}

test('columns are pinned, moved, hidden and widened, and copies have them so', async ({ page }) => {
  await runSql(page, FLEET)
  await columnMenu(page, 'price', 'Pin')
  await expect.poll(async () => (await resultRows(page))[1]?.slice(0, 3)).toEqual(['34567', '2', 'dory'])
  await columnMenu(page, 'name', 'Move left')
  await expect.poll(async () => (await resultRows(page))[1]?.slice(0, 3)).toEqual(['34567', 'dory', '2'])
  await columnMenu(page, 'more', 'Hide')
  await columnMenu(page, 'bought', 'Hide')
  await expect(results(page).getByText('2 columns hidden')).toBeVisible()
  await columnMenu(page, 'name', 'Sort descending')
  await expect(results(page).getByText('By name, descending')).toBeVisible()
  await copyAs(page, 'CSV')
  await expect.poll(() => clipboard(page)).toBe('price,name,id\n1200,skiff,1\n9,punt,3\n34567,dory,2')
  await columnMenu(page, 'name', 'Clear sort order')
  await copyAs(page, 'Markdown')
  await expect.poll(() => clipboard(page)).toContain('| 1200 | skiff | 1 |\n| 34567 | dory | 2 |')
  await copyAs(page, 'JSON')
  await expect
    .poll(async () => JSON.parse(await clipboard(page)) as unknown)
    .toEqual([
      { price: 1200, name: 'skiff', id: 1 },
      { price: 34567, name: 'dory', id: 2 },
      { price: 9, name: 'punt', id: 3 },
    ])
  await columnMenu(page, 'name', 'Show all columns')
  await columnMenu(page, 'price', 'Unpin')
  await columnMenu(page, 'name', 'Move right')
  await expect(results(page).getByText('columns hidden')).toBeHidden()
  await expect.poll(async () => (await headers(page)).length).toBe(6)

  const width = async () => (await header(page, 'name').boundingBox())?.width ?? 0
  const before = await width()
  await grid(page).focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Alt+ArrowRight')
  await page.keyboard.press('Alt+ArrowRight')
  await expect.poll(width).toBeGreaterThan(before)
})

test('digits are grouped and moments are local on the screen alone, and stay so after a reload', async ({
  page,
}) => {
  const look = async (name: RegExp) => {
    await results(page).getByRole('button', { name: 'Display options' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await runSql(page, FLEET)
  await look(/^Group digits/)
  await look(/local time/)
  const shown = ['2', 'dory', '34,567', '2026-03-03 03:30:00+05:30']
  await expect.poll(async () => (await resultRows(page))[1]?.slice(0, 4)).toEqual(shown)
  await copyAs(page, 'IN list')
  await expect.poll(() => clipboard(page)).toContain('34567')
  await look(/^Cell and column details/)
  const side = page.getByRole('complementary', { name: 'Details' })
  await expect(side).toBeVisible()
  await grid(page).focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('End')
  await expect(side).toContainText('crew')
  await side.getByRole('radio', { name: 'Text' }).check({ force: true })
  await expect(side).toContainText("{'crew': 4}")
  await page.reload()
  await expect.poll(async () => (await resultRows(page))[1]?.slice(0, 4)).toEqual(shown)
  await side.getByRole('radio', { name: 'Column' }).check({ force: true })
  await grid(page).focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(side.getByRole('heading', { name: 'price' })).toBeVisible()
  await expect(side).toContainText('35,776')
  await side.getByRole('radio', { name: 'Descending' }).check({ force: true })
  await expect.poll(async () => (await resultRows(page))[0]?.[1]).toBe('dory')
  await side.getByLabel('Show rows with').fill('< 2000')
  await expect(results(page).getByText('2 of 3 shown')).toBeVisible()
  await side.getByRole('button', { name: 'Close' }).click()
  await expect(side).toBeHidden()
})

test('each format of a download holds the rows', async ({ page }) => {
  await runSql(page, FLEET)
  const fetched = async (format: string): Promise<Buffer> => {
    await results(page).getByRole('button', { name: 'Download' }).click()
    const arrives = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: new RegExp(`^${format}`) }).click()
    const file = await readFile(await (await arrives).path())
    await expect(results(page).getByRole('button', { name: 'Download', exact: true })).toBeEnabled()
    return file
  }
  const csv = (await fetched('CSV')).toString()
  expect(csv.split('\n')[2]).toMatch(/^2,dory,34567,/)
  expect(JSON.parse((await fetched('JSON')).toString())).toMatchObject([
    { id: 1 },
    { name: 'dory' },
    { price: 9 },
  ])
  expect((await fetched('Parquet')).subarray(0, 4).toString()).toBe('PAR1')
  expect((await fetched('Excel')).subarray(0, 2).toString()).toBe('PK')
})

test('a chart has the kind and the columns that are chosen, also after a reload', async ({ page }) => {
  await runSql(page, FLEET)
  await results(page).getByRole('radio', { name: 'Chart' }).check({ force: true })
  const points = page.getByRole('slider', { name: /^Chart points/ })
  const choose = async (name: string, option: string) => {
    await page.getByRole('combobox', { name }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await page.getByRole('radio', { name: 'Line' }).check({ force: true })
  await choose('X axis', 'name')
  await choose('Value 1', 'price')
  await expect(points).toHaveAttribute('aria-valuetext', 'skiff: price 1200')
  await choose('Add value', 'id')
  await expect(points).toHaveAttribute('aria-valuetext', 'skiff: price 1200, id 1')
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Line' })).toBeChecked()
  await expect(points).toHaveAttribute('aria-valuetext', 'skiff: price 1200, id 1')
  await choose('Value 2', 'None')
  await expect(points).toHaveAttribute('aria-valuetext', 'skiff: price 1200')
  for (const kind of ['Area', 'Scatter', 'Bar']) {
    await page.getByRole('radio', { name: kind }).check({ force: true })
    await expect(points).toHaveAttribute('aria-valuetext', /price 1200/)
  }
  await page.getByRole('radio', { name: 'Number' }).check({ force: true })
  await expect(results(page).getByText('1,200')).toBeVisible()
  await results(page).getByRole('radio', { name: 'Rows' }).check({ force: true })
  await expect(grid(page)).toBeVisible()
})

test('the same rows are drawn in several ways, also after a reload, and one that was removed comes back', async ({
  page,
}) => {
  await runSql(page, FLEET)
  await results(page).getByRole('radio', { name: 'Chart' }).check({ force: true })
  const charts = page.getByRole('radiogroup', { name: 'Charts' })
  const kind = (name: string) =>
    page.getByRole('radiogroup', { name: 'Chart type' }).getByRole('radio', { name })
  await kind('Line').check({ force: true })
  await expect(charts).toBeHidden()
  await page.getByRole('button', { name: 'Add another chart' }).click()
  await expect(charts.getByRole('radio', { name: 'Chart 2' })).toBeChecked()
  await expect(kind('Line')).toBeChecked()
  await kind('Number').check({ force: true })
  await page.getByRole('button', { name: 'Add another chart' }).click()
  await kind('Area').check({ force: true })
  await charts.getByRole('radio', { name: 'Chart 1' }).check({ force: true })
  await expect(kind('Line')).toBeChecked()
  await charts.getByRole('radio', { name: 'Chart 2' }).check({ force: true })
  await expect(kind('Number')).toBeChecked()
  await page.getByRole('button', { name: 'Remove chart 2' }).click()
  await expect(charts.getByRole('radio')).toHaveCount(2)
  await expect(kind('Area')).toBeChecked()
  await page.getByRole('button', { name: 'Restore chart 2' }).click()
  await expect(charts.getByRole('radio')).toHaveCount(3)
  await expect(kind('Number')).toBeChecked()
  await page.reload()
  await expect(charts.getByRole('radio', { name: 'Chart 2' })).toBeChecked()
  await expect(kind('Number')).toBeChecked()
  await charts.getByRole('radio', { name: 'Chart 3' }).check({ force: true })
  await expect(kind('Area')).toBeChecked()
})

test('a long number stays in one line, also where there is little room', async ({ page }) => {
  await runSql(page, 'select 12345678901234567890123456.78::decimal(38, 2) as tonnes')
  await results(page).getByRole('radio', { name: 'Chart' }).check({ force: true })
  const number = results(page).getByText('12,345,678,901,234,567,890,123,456.78')
  for (const width of [1280, 800]) {
    await page.setViewportSize({ width, height: 800 })
    const lines = () =>
      number.evaluate((one) => {
        const range = document.createRange()
        range.selectNodeContents(one)
        return range.getClientRects().length
      })
    await expect.poll(lines).toBe(1)
  }
})

test('a chart groups, stacks, sorts and cuts off as chosen, also after a reload', async ({ page }) => {
  await runSql(
    page,
    `select timestamp '2026-01-01' + interval (i) day as sold, 'pier ' || i % 7 as pier,
       case when i % 2 = 0 then 'oars' else 'sails' end as goods, i as revenue
     from range(90) t(i) order by i`,
  )
  await results(page).getByRole('radio', { name: 'Chart' }).check({ force: true })
  const points = page.getByRole('slider', { name: /^Chart points/ })
  const says = (text: string) => expect(points).toHaveAttribute('aria-valuetext', text)
  const choose = async (name: string, option: string) => {
    await page.getByRole('combobox', { name, exact: true }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await expect(page.getByRole('radio', { name: 'Line' })).toBeChecked()
  await choose('Group times by', 'Month')
  await says('2026-01: revenue 465')
  await choose('Series', 'goods')
  await says('2026-01: oars 240, sails 225')
  await choose('Combine rows', 'Average')
  await says('2026-01: oars 15, sails 15')
  await page.getByRole('radio', { name: 'Area' }).check({ force: true })
  await choose('Stacking', 'Stacked to 100 %')
  await expect(points.getByText('100 %')).toBeVisible()

  await page.getByRole('radio', { name: 'Bar' }).check({ force: true })
  await choose('X axis', 'pier')
  await choose('Series', 'None')
  await choose('Combine rows', 'Sum')
  await choose('Order', 'By value')
  await says('pier 5: revenue 611')
  await choose('Show', 'Top 5 and others')
  await choose('Direction', 'Horizontal')
  await choose('Number format', 'US dollars')
  await expect(points.getByText('Others (2)')).toBeVisible()
  await expect(points.getByText('$500')).toBeVisible()
  await page.reload()
  await says('pier 5: revenue 611')
  await expect(points.getByText('$500')).toBeVisible()
  await points.focus()
  await page.keyboard.press('End')
  await expect(points).toHaveAttribute('aria-valuetext', /^Others \(2\): revenue /)

  for (const [format, begins] of [
    ['PNG', '\x89PNG'],
    ['SVG', '<svg'],
  ] as const) {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      (async () => {
        await page.getByRole('button', { name: 'Save picture' }).click()
        await page.getByRole('menuitem', { name: format }).click()
      })(),
    ])
    expect((await readFile(await saved.path())).toString('latin1').startsWith(begins)).toBe(true)
  }
  await page.getByRole('button', { name: 'Hide chart settings' }).click()
  await expect(page.getByRole('combobox', { name: 'X axis' })).toBeHidden()
})

test('the search among the rows steps forth and back, and over what is filtered', async ({ page }) => {
  await runSql(page, `select i as id, 'boat ' || (i % 3) as name from range(30) t(i) order by i`)
  await results(page).getByRole('button', { name: 'Display options' }).click()
  await page.getByRole('menuitem', { name: /^Search rows/ }).click()
  const search = page.getByRole('textbox', { name: 'Search rows' })
  await search.fill('BOAT 2')
  const count = page.getByRole('search').getByRole('status')
  await expect(count).toHaveText('10')
  await page.getByRole('button', { name: 'Next match' }).click()
  await expect(count).toHaveText('1 of 10')
  await page.getByRole('button', { name: 'Previous match' }).click()
  await expect(count).toHaveText('10 of 10')
  await search.fill('no such boat')
  await expect(count).toHaveText('Not found')
})
