import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessibleBothWays } from './axe.ts'
import { grid, openNewQuery, resultRows, results, runSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'

const SALES = `select i as id, ['Bern', 'Chur', 'Thun'][1 + i % 3] as city, 2024 + i % 2 as year, i as paid
               from range(6000) t(i) order by i`

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a column is summed up over all kept rows, which are pivoted and compared with those of another run', async ({
  page,
  product,
}) => {
  await openNewQuery(page, product)
  await runSql(page, 'set sql_select_limit = 5000')
  await runSql(page, SALES)
  await grid(page).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('menuitem', { name: 'Summary' }).click()
  const side = page.getByRole('complementary', { name: 'Details' })
  await expect(side.getByText('Of the first 5,000 rows. The query has more.')).toBeVisible()
  await side.getByRole('button', { name: 'Filter by Thun 1,666 rows' }).click()
  await expect(results(page).getByText('1,666 of 5,000 shown')).toBeVisible()
  await expect(side.getByText('Of the 1,666 rows that match.')).toBeVisible()
  await expect.poll(async () => (await resultRows(page))[0]?.[1]).toBe('Thun')
  await expectAccessibleBothWays(page, 'the summary of a column')
  await results(page).getByRole('button', { name: 'Reset view' }).click()

  await results(page).getByRole('radio', { name: 'Pivot' }).check({ force: true })
  const pivot = page.getByRole('grid', { name: 'Pivot of the result' })
  await expect(pivot).toBeVisible()
  await choose(page, 'Rows 1', 'city')
  await choose(page, 'Add columns', 'year')
  await choose(page, 'Value 1', 'paid')
  await choose(page, 'Combine value 1', 'Maximum')
  const lines = () => pivot.getByRole('row').allTextContents()
  await expect.poll(async () => (await lines()).at(-1)).toMatch(/Total\s*4998\s*4999\s*4999$/)
  await expect.poll(async () => (await lines())[3]).toMatch(/Thun\s*4994\s*4997\s*4997$/)
  await pivot.focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('menuitem', { name: 'Sort descending' }).press('Enter')
  await expect.poll(async () => (await lines())[1]).toMatch(/Chur\s*4996\s*4999\s*4999$/)
  await expectAccessibleBothWays(page, 'a pivot')
  const arrives = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download CSV' }).click()
  const csv = await readFile(await (await arrives).path(), 'utf8')
  expect(csv.trim().split(/\r?\n/)[0]).toBe('city,2024,2025,Total')
  await page.reload()
  await expect.poll(async () => (await lines())[1]).toMatch(/Chur\s*4996\s*4999\s*4999$/)
  await results(page).getByRole('radio', { name: 'Rows' }).check({ force: true })

  await runSql(page, 'create or replace table versions as select 1 as id, 3 as boats union all select 2, 4')
  await runSql(page, 'select id, boats from versions order by id')
  await runSql(page, 'create or replace table versions as select 2 as id, 5 as boats union all select 3, 6')
  await runSql(page, 'select id, boats from versions order by id')
  await results(page).getByRole('button', { name: 'Display options' }).click()
  await page.getByRole('menuitem', { name: 'Compare with another run…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare runs' })
  await expect(dialog.getByText('0 rows are unchanged.')).toBeVisible()
  await choose(page, 'Add key column', 'id')
  const differ = dialog.getByRole('grid', { name: 'Rows that differ' })
  await dialog.getByRole('radio', { name: /^Changed/ }).check({ force: true })
  await expect(differ.getByRole('row').nth(1)).toHaveText(/Before\s*2\s*4/)
  await expect(differ.getByRole('row').nth(2)).toHaveText(/Now\s*2\s*5/)
  await expectAccessibleBothWays(page, 'two runs that are compared')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})
