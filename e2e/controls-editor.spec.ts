import type { Locator, Page } from '@playwright/test'
import { ask } from './ask.ts'
import {
  grid,
  openNewQuery,
  resultRows,
  results,
  runSql,
  sqlEditor,
  sqlText,
  writeSql,
} from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'

/** Every control of the editor is moved from where it begins, and what it says is what happens. */

test.beforeEach(({ page, product }) => openNewQuery(page, product))

const toolbar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Query' })
const warehousePill = (page: Page): Locator => toolbar(page).getByRole('button', { name: /^Warehouse: / })
const placePill = (page: Page): Locator =>
  toolbar(page).getByRole('button', { name: /^Catalog and database/ })
const settled = async (page: Page): Promise<void> =>
  expect(results(page).getByText(/^(Finished|Failed|Stopped)$/)).toBeVisible()
const chips = (page: Page): Locator =>
  page.getByRole('tablist', { name: 'Statements of this run' }).getByRole('tab')

test('a statement runs in the warehouse and the database that the toolbar says, also after a reload', async ({
  page,
  product,
}) => {
  await ask(
    product,
    `create warehouse if not exists skiff size = 'Small', auto_suspend = 5;
      create database if not exists jetty; create or replace table jetty.posts as select 7 as post`,
  )

  await warehousePill(page).click()
  await page.getByRole('menuitem', { name: /^skiff/ }).click()
  await expect(warehousePill(page)).toContainText('skiff')
  await placePill(page).click()
  await page.getByRole('menuitemradio', { name: 'jetty', exact: true }).click()
  await expect(placePill(page)).toContainText('jetty')
  await runSql(page, 'select post as post_of_jetty from posts')
  await expect.poll(() => resultRows(page)).toEqual([['7']])
  await runSql(page, "show variables like 'warehouse'")
  await expect(grid(page)).toContainText('skiff')

  await page.reload()
  await expect(warehousePill(page)).toContainText('skiff')
  await expect(placePill(page)).toContainText('jetty')
  await runSql(page, 'select post + 1 as post_of_jetty from posts')
  await expect.poll(() => resultRows(page)).toEqual([['8']])

  await page.goto(`${product.url}/local-1/${product.accountId}/activity?text=post_of_jetty&warehouse=skiff`)
  const history = page.getByRole('table', { name: 'History' })
  await expect(history.getByRole('row')).toHaveCount(3)
  await history.getByRole('link').first().click()
  const facts = page.getByRole('complementary', { name: 'Details' })
  await expect(facts).toContainText('skiff')
  await expect(facts).toContainText('jetty')
})

test('what is selected runs, all of it runs, and it is explained and analysed', async ({ page }) => {
  const text = 'select 1 as a; select 2 as b; select 3 as c'
  await writeSql(page, text)
  await page.keyboard.press('ControlOrMeta+Home')
  for (const _ of 'select 1 as a; ') await page.keyboard.press('ArrowRight')
  for (const _ of 'select 2 as b; select 3') await page.keyboard.press('Shift+ArrowRight')
  await expect(page.getByText('23 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await settled(page)
  await expect(chips(page)).toHaveCount(2)
  await expect.poll(() => resultRows(page)).toEqual([['3']])

  await sqlEditor(page).press('ControlOrMeta+Shift+Enter')
  await expect(chips(page)).toHaveCount(3)
  await settled(page)
  await chips(page).first().click()
  await expect.poll(() => resultRows(page)).toEqual([['1']])
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => resultRows(page)).toEqual([['2']])

  const more = (name: RegExp) => async () => {
    await page.getByRole('button', { name: 'More run options' }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await writeSql(page, 'select 4 as d; select n_name from sample.nation')
  await more(/^Run all/)()
  await expect(chips(page)).toHaveCount(2)
  await settled(page)
  await writeSql(page, 'select n_name from sample.nation')
  await more(/^Explain/)()
  await expect(page.getByRole('table', { name: /plan/i })).toBeVisible()
  await expect(page.getByRole('table', { name: /plan/i })).toContainText(/estimated/i)
  await page.getByRole('radio', { name: 'Text' }).check({ force: true })
  await expect(page.getByRole('figure', { name: /plan/i })).toContainText('┌')
})

test('texts are found and replaced by case, word and pattern; the history is searched and inserted', async ({
  page,
}) => {
  await runSql(page, "select 'rudder of the history' as found_again")
  await runSql(page, 'select 1 as one')
  await writeSql(page, 'select Oar, oars, oar from boats')
  await page.keyboard.press('ControlOrMeta+f')
  const find = page.getByRole('textbox', { name: 'Find', exact: true })
  await find.pressSequentially('oar')
  const marks = sqlEditor(page).locator('.cm-searchMatch')
  await expect(marks).toHaveCount(3)
  await page.getByLabel('Match case').check()
  await expect(marks).toHaveCount(2)
  await page.getByLabel('Whole words').check()
  await expect(marks).toHaveCount(1)
  await page.getByLabel('Match case').uncheck()
  await page.getByLabel('Whole words').uncheck()
  await page.getByLabel('Regular expression').check()
  await find.fill('')
  await find.pressSequentially('[Oo]ars?\\b')
  await expect(marks).toHaveCount(3)
  await page.getByRole('textbox', { name: 'Replace', exact: true }).pressSequentially('keel')
  await page.getByRole('button', { name: 'Replace all' }).click()
  await expect.poll(() => sqlText(page)).toBe('select keel, keel, keel from boats')
  await page.keyboard.press('Escape')

  await toolbar(page).getByRole('button', { name: 'History' }).click()
  const dialog = page.getByRole('dialog', { name: 'History' })
  await expect(dialog.getByRole('row').nth(1)).toContainText('select 1 as one')
  await dialog.getByRole('switch').check()
  await expect(dialog.getByRole('row')).toHaveCount(3)
  await dialog.getByRole('textbox', { name: 'Search statements' }).fill('RUDDER of')
  await expect(dialog.getByRole('row')).toHaveCount(2)
  await dialog.getByRole('switch').uncheck()
  await expect(dialog.getByRole('row')).toHaveCount(2)
  await page.keyboard.press('Escape')
  await writeSql(page, '')
  await toolbar(page).getByRole('button', { name: 'History' }).click()
  await dialog.getByRole('textbox', { name: 'Search statements' }).fill('rudder')
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await expect.poll(() => sqlText(page)).toContain("select 'rudder of the history'")
})

test('panes keep their sizes, the side can go, and the filters of both trees narrow them', async ({
  page,
}) => {
  const side = page.getByRole('separator', { name: 'Width of the side panel' })
  const result = page.getByRole('separator', { name: 'Height of the editor' })
  const catalogs = page.getByRole('separator', { name: 'Height of the catalogs' })
  const before = await Promise.all([side, result, catalogs].map((one) => one.getAttribute('aria-valuenow')))
  await side.press('ArrowRight')
  await result.press('ArrowDown')
  await catalogs.press('ArrowUp')
  for (const [at, one] of [side, result, catalogs].entries())
    await expect(one).not.toHaveAttribute('aria-valuenow', before[at] ?? '')
  const after = await Promise.all([side, result, catalogs].map((one) => one.getAttribute('aria-valuenow')))
  await page.reload()
  await expect(side).toHaveAttribute('aria-valuenow', after[0] ?? '')
  await expect(catalogs).toHaveAttribute('aria-valuenow', after[2] ?? '')
  await expect(result).toHaveAttribute('aria-valuenow', after[1] ?? '')

  const queries = page.getByRole('region', { name: 'Saved queries' })
  await queries.getByRole('textbox', { name: 'Filter queries' }).fill('no query of this name')
  await expect(queries).toContainText('No query name contains “no query of this name”.')
  await queries.getByRole('textbox', { name: 'Filter queries' }).fill('untitled')
  await expect(queries.getByRole('treeitem').first()).toBeVisible()
  await page.getByRole('button', { name: 'Hide catalogs and queries' }).click()
  await expect(queries).toBeHidden()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Show catalogs and queries' })).toBeVisible()
  await expect(queries).toBeHidden()
})

test('the confirmation of dangerous statements can be turned off', async ({ page }) => {
  await runSql(page, 'create or replace table unguarded as select 1 as i')
  await writeSql(page, 'delete from unguarded')
  await page.keyboard.press('ControlOrMeta+Enter')
  const question = page.getByRole('dialog')
  await question.getByLabel('Ask before running such statements').uncheck()
  await question.getByRole('button', { name: 'Run anyway' }).click()
  await expect(results(page).getByText('1 row deleted.')).toBeVisible()
  await page.reload()
  await expect(sqlEditor(page)).toBeVisible()
  await runSql(page, 'insert into unguarded values (1)')
  await runSql(page, 'delete from unguarded')
  await expect(results(page).getByText('1 row deleted.')).toBeVisible()
})

test('the catalog that the toolbar says is the one a statement runs in, also after a reload', async ({
  page,
}) => {
  await runSql(page, 'create catalog if not exists shipyard')
  await runSql(page, 'create or replace table shipyard.main.hulls as select 3 as hull')
  await placePill(page).click()
  await page.getByRole('menuitemradio', { name: 'shipyard', exact: true }).click()
  await expect(placePill(page)).toContainText('shipyard')
  await placePill(page).click()
  await page.getByRole('menuitemradio', { name: 'main', exact: true }).click()
  await expect(placePill(page)).toContainText('shipyard.main')
  await runSql(page, 'select hull from hulls')
  await expect.poll(() => resultRows(page)).toEqual([['3']])
  await page.reload()
  await expect(placePill(page)).toContainText('shipyard.main')
  await runSql(page, 'select hull + 1 from hulls')
  await expect.poll(() => resultRows(page)).toEqual([['4']])
})

test('the history shows fifty statements, and older ones when they are asked for', async ({
  page,
  product,
}) => {
  await runSql(page, `select 'long ago' as buoy`)
  await ask(product, Array.from({ length: 55 }, (_, at) => `select ${at} as buoy`).join('; '))
  await toolbar(page).getByRole('button', { name: 'History' }).click()
  const dialog = page.getByRole('dialog', { name: 'History' })
  await dialog.getByRole('textbox', { name: 'Search statements' }).fill('as buoy')
  const found = dialog.locator('tbody').getByRole('row')
  await expect(found).toHaveCount(50)
  await dialog.getByRole('button', { name: 'Load older' }).click()
  await expect(found).toHaveCount(56)
  await expect(found.last()).toContainText('long ago')
  await expect(dialog.getByRole('button', { name: 'Load older' })).toBeHidden()
})
