import { readFile } from 'node:fs/promises'
import { expectAccessibleBothWays } from './axe.ts'
import { grid, newQuery, openNewQuery, results, runSql, sendSql, sqlEditor, sqlText } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'

/** Every control is moved from where it begins, and what it says is what happens. */

const MANY = 'select i, i % 7 as day from range(12000) t(i) order by i'

test.beforeEach(({ page, product }) => openNewQuery(page, product))

for (const { chosen, shown, counted } of [
  { chosen: 'Limit 10,000', shown: '10,000', counted: /of more than 10,000 rows shown$/ },
  { chosen: 'Limit 100,000', shown: '100,000', counted: /^1,000 of 12,000 rows shown$/ },
  { chosen: 'No limit', shown: 'No limit', counted: /^1,000 of 12,000 rows shown$/ },
])
  test(`a row limit of ${shown} is what the next query runs with, and the one after it`, async ({ page }) => {
    await page.getByRole('button', { name: 'Limit 1,000' }).click()
    await page.getByRole('menuitemradio', { name: chosen, exact: true }).click()
    await runSql(page, MANY)
    await expect(results(page).getByText(counted)).toBeVisible()
    await runSql(page, 'select 1 as one')
    await expect(results(page).getByText('1 row', { exact: true })).toBeVisible()
  })

test('a limit that a statement has set is taken back by the menu', async ({ page }) => {
  await runSql(page, 'set sql_select_limit = 5')
  await runSql(page, MANY)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '6')
  await page.getByRole('button', { name: 'Limit 5', exact: true }).click()
  await page.getByRole('menuitemradio', { name: 'Limit 1,000' }).click()
  await runSql(page, MANY)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '1001')
})

test('a result that was cut is downloaded with all its rows, and says which rows a summary is of', async ({
  page,
}) => {
  await runSql(page, MANY)
  await page.getByRole('button', { name: 'Download' }).click()
  await expect(page.getByText('First 1,000 rows. The query has more.')).toBeVisible()
  await expectAccessibleBothWays(page, 'the menu of downloads')
  const arrives = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /^CSV.*all rows/ }).click()
  const lines = (await readFile(await (await arrives).path(), 'utf8')).trim().split('\n')
  expect(lines).toHaveLength(12_001)
  await grid(page).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('menuitem', { name: 'Summary' }).click()
  await expect(page.getByText('Of the first 1,000 rows. The query has more.')).toBeVisible()
})

test('a new query has the keyboard; before a danger it is at Cancel', async ({ page }) => {
  await newQuery(page)
  await expect(sqlEditor(page)).toBeFocused()
  await page.keyboard.type('select 41')
  await expect.poll(() => sqlText(page)).toBe('select 41')
  await runSql(page, 'create or replace table careful as select 1 as kept')
  await sendSql(page, 'delete from careful')
  const question = page.getByRole('dialog')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(question).toBeHidden()
  await runSql(page, 'select count(*) from careful')
  await expect(grid(page).getByRole('gridcell').first()).toHaveText('1')
})

test('home’s Create query has the keyboard, and what is typed meanwhile', async ({ page, product }) => {
  await page.goto(`${product.url}/local-1/${product.accountId}/home`)
  await page.getByRole('button', { name: /^Create query/ }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('select 42')
  await expect(sqlEditor(page)).toBeFocused()
  await expect.poll(() => sqlText(page)).toBe('select 42')
})

test('typing and Enter in one go choose the role that was typed, or none', async ({ page, product }) => {
  await runSql(page, 'create role if not exists anglers')
  await page.goto(`${product.url}/local-1/${product.accountId}/admin/access?tab=user`)
  await page.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('combobox', { name: 'Add a role' }).click()
  // Enter takes only what the list has: it is there before the first letter.
  await expect(page.getByRole('option', { name: 'account_admin' })).toBeVisible()
  await page.keyboard.type('angl')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => page.getByRole('list', { name: 'Roles' }).getByRole('listitem').allTextContents())
    .toEqual(['anglers'])
  await expect(page.getByRole('combobox', { name: 'Add a role' })).toHaveValue('')
  await page.keyboard.type('security')
  await expect(page.getByRole('option', { name: 'security_admin' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.getByLabel('User name').fill('kim')
  await page.getByText('Set a password').click()
  await page.getByLabel('Password', { exact: true }).fill('Rowing_2026')
  await page.getByRole('dialog').getByRole('button', { name: 'Create user' }).click()
  const question = page.getByRole('dialog', { name: 'Grant admin privileges to kim?' })
  await expect(question.getByText('With security_admin, kim can:')).toBeVisible()
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessibleBothWays(page, 'the question before admin rights')
})
