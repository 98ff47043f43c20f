import {
  failure,
  grid,
  openNewQuery,
  resultRows,
  results,
  runSql,
  sendSql,
  sqlEditor,
  sqlText,
  writeSql,
} from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'

test.beforeEach(({ page, product }) => openNewQuery(page, product))

test('a result says its rows, columns, state, times and query, a failure why [EDITOR-18]', async ({
  page,
}) => {
  await runSql(page, `select i, i * i as square from range(5) t(i)`)
  const result = results(page)
  for (const fact of ['Finished', '5 rows', '2 columns'])
    await expect(result.getByText(fact, { exact: true })).toBeVisible()
  await expect(result.getByText(/^[\d.,]+ (ms|s)$/)).toHaveAttribute('title', /^Started .+, ended .+$/)
  await expect(result.getByText(/^query [0-9a-f]{8}/)).toBeVisible()
  await expect(grid(page).getByRole('columnheader', { name: /^square/ })).toBeVisible()

  await runSql(page, 'select no_such_function(1)')
  await expect(result.getByText('Failed', { exact: true })).toBeVisible()
  await expect(failure(page)).toContainText('no_such_function')
})

test('pain 20: a SELECT shows a thousand rows and says that they are the first [EDITOR-38]', async ({
  page,
}) => {
  await runSql(page, 'select i from range(5000) t(i) order by i')
  await expect(results(page).getByText(/^first 1,000 rows/)).toBeVisible()
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '1001')
  await runSql(page, 'set sql_select_limit = 10000')
  await runSql(page, 'select i from range(5000) t(i) order by i')
  await expect(results(page).getByText('1,000 of 5,000 rows shown', { exact: true })).toBeVisible()
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '5001')
})

test('several statements answer one by one, and the first failure stops the rest', async ({ page }) => {
  await writeSql(page, 'select 1 as one;\nselect nothing_there;\nselect 3 as three')
  await page.keyboard.press('ControlOrMeta+Shift+Enter')
  const statements = page.getByRole('tablist', { name: 'Statements of this run' }).getByRole('tab')
  await expect(failure(page)).toContainText('nothing_there')
  await expect(failure(page)).toContainText('Line 2, column 8')
  await expect(statements).toHaveCount(3)
  await statements.nth(0).click()
  await expect.poll(() => resultRows(page)).toEqual([['1']])
  await statements.nth(2).click()
  await expect(results(page).getByText('An earlier statement failed')).toBeVisible()
})

test('pain 23: the statement at the cursor is the one that runs', async ({ page }) => {
  await writeSql(page, `select 'first';\nselect 'second';\nselect 'third'`)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(grid(page)).toBeVisible()
  await expect.poll(() => resultRows(page)).toEqual([['second']])
})

test('from an error one comes to its place in the text', async ({ page }) => {
  await runSql(page, 'select 1,\n  2,\n  nowhere')
  await expect(failure(page)).toContainText('Line 3, column 3')
  await failure(page).getByRole('button', { name: 'Go to error' }).click()
  await expect(sqlEditor(page)).toBeFocused()
  await expect(page.getByText('Ln 3, Col 3')).toBeVisible()
})

test('pain 8: a running statement can be stopped, and the tab keeps working', async ({ page }) => {
  // Opens the channel first: a statement that is stopped before it was sent gets another message.
  await runSql(page, 'select 1')
  await sendSql(page, 'select count(*) from range(100000000000) t(i) where i % 7 = 3')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(results(page).getByText('Stopped at your request.')).toBeVisible()
  await runSql(page, 'select 6 * 7')
  await expect.poll(() => resultRows(page)).toEqual([['42']])
})

test('pain 2: what one browser wrote, another one does not overwrite', async ({
  page,
  browser,
  signedIn,
}) => {
  await runSql(page, 'select 1')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const context = await browser.newContext({ storageState: signedIn })
  const other = await context.newPage()
  await other.goto(page.url())
  await expect.poll(() => sqlText(other)).toBe('select 1')
  // Away, so that it does not follow.
  await context.setOffline(true)
  await writeSql(page, 'select 2')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await writeSql(other, 'select 3')
  await expect(other.getByText('Saved in this browser only')).toBeVisible()
  await context.setOffline(false)
  await expect(other.getByText('This query was changed elsewhere.')).toBeVisible()
  await expect.poll(() => sqlText(other)).toBe('select 3')
  await other.getByRole('button', { name: 'Use saved' }).first().click()
  await expect.poll(() => sqlText(other)).toBe('select 2')
  await context.close()
})
