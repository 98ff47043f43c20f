import type { Locator, Page } from '@playwright/test'
import { ask } from './ask.ts'
import { expectAccessibleBothWays } from './axe.ts'
import { clickToPaint, keyToPaint } from './click-to-paint.ts'
import { openNewQuery, results, runSql, sqlEditor, writeSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import { tellFigure } from './figures.ts'

/** The first rows of what is written, before it is run. */

test.beforeEach(({ page, product }) => openNewQuery(page, product))

const preview = (page: Page): Locator => page.getByRole('region', { name: 'Preview', exact: true })
const cell = (page: Page, text: string): Locator =>
  preview(page).getByRole('gridcell', { name: text, exact: true })
const toggle = (page: Page): Promise<void> => page.keyboard.press('ControlOrMeta+Alt+Enter')

test('what is written shows its first rows at every pause, and nothing of it is run', async ({
  page,
  product,
}) => {
  await ask(product, 'create table if not exists previewed_oars as select range as oar from range(80)')
  await sqlEditor(page).click()
  await toggle(page)
  await expect(preview(page)).toContainText('Write a statement that reads.')
  await writeSql(page, 'select oar, oar + 1000 as more from previewed_oars order by oar')
  await expect(cell(page, '1003')).toBeVisible()
  await expect(preview(page)).toContainText('First 50 rows')
  await expect(results(page)).toContainText('Results appear here')
  await expectAccessibleBothWays(page, 'preview')

  // Half of a word is no failure that anybody has to read about twice.
  await writeSql(page, 'select oar fro')
  await expect(preview(page)).toContainText('oar')
  await writeSql(
    page,
    'with few as (select oar from previewed_oars where oar < 3) select count(*) + 1000 from few',
  )
  await expect(cell(page, '1003')).toBeVisible()
  for (let at = 0; at < 'select count(*) + 1000 from few'.length + 3; at++)
    await page.keyboard.press('ArrowLeft')
  await expect(preview(page)).toContainText('few, from WITH')
  await expect(preview(page)).toContainText('3 rows')

  await writeSql(page, 'drop table previewed_oars')
  await expect(preview(page)).toContainText('This statement changes something')
  await writeSql(page, 'select count(*) as left_over from previewed_oars')
  await expect(cell(page, '80')).toBeVisible()
})

test('the preview stays beside a result and after a reload, and is closed by its key', async ({
  page,
  product,
}) => {
  // A preview resumes no warehouse.
  await ask(product, 'select 1')
  await page.getByRole('button', { name: /^Preview while you write/ }).click()
  await writeSql(page, 'select 4711 as previewed')
  await expect(cell(page, '4711')).toBeVisible()
  await runSql(page, 'select 4712 as ran')
  await expect(results(page)).toContainText('4712')
  await expect(cell(page, '4712')).toBeVisible()
  await page.reload()
  await expect(cell(page, '4712')).toBeVisible()
  await page.getByRole('button', { name: 'Close preview' }).click()
  await expect(preview(page)).toBeHidden()
  await sqlEditor(page).click()
  await toggle(page)
  await expect(preview(page)).toBeVisible()
  await toggle(page)
  await expect(preview(page)).toBeHidden()
})

/** As long as the editor waits for the next key, see use-preview.ts. */
const PAUSE_MS = 250
const PREVIEW_MS = 150
/** From the end of the pause to the rows, by a run of the same statement from its click to its rows. */
const PREVIEW_TIMES = 2

test('rows of the sample data are there soon after the pause', { tag: '@measured' }, async ({ page }) => {
  const nation = 'select n_nationkey, n_name from sample.nation where n_nationkey = '
  const first = (region: string) => `[aria-label="${region}"] [role=gridcell]`
  const middle = (times: readonly number[]) =>
    times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0
  const button = page.getByRole('button', { name: 'Run', exact: true })
  const runs: number[] = []
  const previews: number[] = []
  await writeSql(page, 'select 1')
  await runSql(page, 'select 1')
  await toggle(page)
  for (const digit of ['2', '3', '4', '5', '6', '7', '8', '9', '0']) {
    await writeSql(page, nation)
    const painted = { cell: first('Preview'), text: digit }
    previews.push((await keyToPaint(page, { ...painted, key: digit })) - PAUSE_MS)
    runs.push(await clickToPaint(page, { button, cell: first('Result'), text: digit }))
  }
  tellFigure(
    `a preview of the sample data ${middle(previews).toFixed(0)} ms after the pause (budget ${PREVIEW_MS} ms), ` +
      `worst ${Math.max(...previews).toFixed(0)} ms; a run of the same ${middle(runs).toFixed(0)} ms`,
  )
  expect(middle(previews) / middle(runs)).toBeLessThan(PREVIEW_TIMES)
})
