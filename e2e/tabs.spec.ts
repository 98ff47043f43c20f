import type { Page } from '@playwright/test'
import { expectAccessibleBothWays } from './axe.ts'
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

// Queries that others save would push these out of the part of the tree that is drawn.
test.use({ asUser: 'tabs', permissions: ['clipboard-read', 'clipboard-write'] })
test.beforeEach(({ page, me }) => openNewQuery(page, me))

const strip = (page: Page) => page.getByRole('tablist', { name: 'Open queries' })
const shownTab = (page: Page) => strip(page).getByRole('tab', { selected: true })
const place = (page: Page) => page.getByRole('button', { name: /^Catalog and database of this query/ })
const tree = (page: Page) => page.getByRole('tree', { name: 'Saved queries' })
const newTab = async (page: Page) => {
  const before = await shownTab(page).textContent()
  await page.getByRole('button', { name: 'Create query' }).last().click()
  await expect(shownTab(page)).not.toHaveText(before ?? '')
  await expect.poll(() => sqlText(page)).toBe('')
}
const saved = (page: Page) => expect(page.getByText('Saved', { exact: true })).toBeVisible()

test('several tabs are open at once, each with its own text, place and result [EDITOR-01, EDITOR-06]', async ({
  page,
}) => {
  const first = (await shownTab(page).textContent()) ?? ''
  await runSql(page, 'use sample; select 1 as one')
  await runSql(page, "select 'first'")
  await newTab(page)
  await runSql(page, "select 'second'")
  await expect.poll(() => resultRows(page)).toEqual([['second']])
  await strip(page).getByRole('tab', { name: first }).click()
  await expect.poll(() => sqlText(page)).toBe("select 'first'")
  await expect.poll(() => resultRows(page)).toEqual([['first']])
  await expect.poll(() => new URL(page.url()).searchParams.get('tabName')).toBe(first)
})

test('the menu of a tab duplicates it and closes those to its right; a new one begins in the database in use', async ({
  page,
}) => {
  const tab = (name: string) => strip(page).getByRole('tab', { name, exact: true })
  const name = (await shownTab(page).textContent()) ?? ''
  const copy = `${name} copy`
  await runSql(page, 'use sample')
  await writeSql(page, 'select 4712')
  await saved(page)

  await tab(name).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(shownTab(page)).toHaveText(copy)
  await expect.poll(() => sqlText(page)).toBe('select 4712')
  await expect(place(page)).toContainText('default_catalog.sample')
  await newTab(page)
  await expect(place(page)).toContainText('default_catalog.sample')

  await page.getByRole('button', { name: 'List open queries' }).click()
  const list = page.getByRole('menu', { name: 'Open queries' })
  await expect(list.getByRole('menuitem', { name: copy })).toContainText('sample')
  await expectAccessibleBothWays(page, 'the list of open queries')
  await list.getByRole('menuitem', { name: copy }).click()
  await expect(shownTab(page)).toHaveText(copy)

  await tab(copy).focus()
  await page.keyboard.press('Shift+F10')
  const menu = page.getByRole('menu', { name: `Actions for ${copy}` })
  await expect(menu.getByRole('menuitem', { name: 'Rename' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(tab(copy)).toBeFocused()
  await tab(name).click({ button: 'right' })
  await expectAccessibleBothWays(page, 'the menu of a tab')
  await page.getByRole('menuitem', { name: 'Close to the right' }).click()
  await expect(tab(copy)).toHaveCount(0)
  await expect(shownTab(page)).toHaveText(name)
})

test('open tabs, their order and texts are the same in another browser', async ({
  page,
  browser,
  signedIn,
}) => {
  await writeSql(page, 'select 41')
  await newTab(page)
  await writeSql(page, 'select 42')
  await saved(page)
  const names = await strip(page).getByRole('tab').allTextContents()
  const context = await browser.newContext({ storageState: signedIn })
  const other = await context.newPage()
  await other.goto(page.url())
  await expect.poll(() => sqlText(other)).toBe('select 42')
  await expect(strip(other).getByRole('tab')).toHaveText(names)
  await context.close()
})

test('pain 4: a closed tab comes back with a key, a deleted one from the bin [EDITOR-07]', async ({
  page,
}) => {
  const name = (await shownTab(page).textContent()) ?? ''
  await writeSql(page, 'select 4711')
  await saved(page)
  await page.keyboard.press('Alt+w')
  await expect(strip(page).getByRole('tab', { name, exact: true })).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+Shift+T')
  await expect(shownTab(page)).toHaveText(name)
  await expect.poll(() => sqlText(page)).toBe('select 4711')

  await tree(page).getByRole('treeitem', { name }).focus()
  await page.keyboard.press('Delete')
  await expect(tree(page).getByRole('treeitem', { name })).toHaveCount(0)
  await page.getByRole('button', { name: 'Deleted queries' }).click()
  const bin = page.getByRole('dialog', { name: 'Deleted queries' })
  await bin.getByRole('row', { name }).getByRole('button', { name: 'Restore' }).click()
  await expect(shownTab(page)).toHaveText(name)
  await expect.poll(() => sqlText(page)).toBe('select 4711')
})

test('folders in folders: created, filled by dragging, renamed and moved with the keyboard, deleted [EDITOR-05]', async ({
  page,
}) => {
  const query = (await shownTab(page).textContent()) ?? ''
  const item = (name: string) => tree(page).getByRole('treeitem', { name, exact: true })
  const makeFolder = async (name: string) => {
    await page.getByRole('button', { name: 'Create folder' }).click()
    await page.getByLabel('Folder name').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Create folder' }).click()
    await expect(item(name)).toBeVisible()
  }
  // So that everything fits on the screen.
  await item('Samples').click()
  await makeFolder('Reports')
  await makeFolder('Daily')
  await item(query).dragTo(item('Daily'))
  await expect(item(query)).toHaveAttribute('aria-level', '2')
  await item('Daily').focus()
  await page.keyboard.press('F2')
  await page.getByLabel('Query name').or(page.getByLabel('Folder name')).fill('Every day')
  await page.keyboard.press('Enter')
  await expect(item('Every day')).toBeVisible()
  await item('Every day').focus()
  await page.keyboard.press('Shift+F2')
  const dialog = page.getByRole('dialog', { name: 'Move Every day' })
  await dialog.getByRole('combobox').click()
  await page.getByRole('option', { name: 'Reports' }).click()
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(item('Every day')).toHaveAttribute('aria-level', '2')
  await expect(item(query)).toHaveAttribute('aria-level', '3')
  await item('Reports').focus()
  await page.keyboard.press('Delete')
  await expect(page.getByText('This also deletes the 1 query in it.')).toBeVisible()
  await page.getByRole('button', { name: 'Delete folder' }).click()
  await expect(item('Reports')).toHaveCount(0)
  await expect(item(query)).toHaveCount(0)
})

test('a sample stays as it is: what is written goes into a copy', async ({ page }) => {
  await tree(page).getByRole('treeitem', { name: 'Running totals and ranks', exact: true }).click()
  await expect(shownTab(page)).toHaveText('Running totals and ranks')
  await sqlEditor(page).press('ControlOrMeta+a')
  await page.keyboard.type('select 5')
  await expect(shownTab(page)).toHaveText('Running totals and ranks (copy)')
  await expect.poll(() => sqlText(page)).toBe('select 5')
  await saved(page)
  await page.reload()
  await expect.poll(() => sqlText(page)).toBe('select 5')
  await tree(page).getByRole('treeitem', { name: 'Running totals and ranks', exact: true }).click()
  await expect.poll(() => sqlText(page)).toContain('Window functions')
})

test('a finished result is there again after a reload, with its time', async ({ page }) => {
  await runSql(page, "select 'kept' as word")
  await page.reload()
  await expect(results(page).getByText(/^Result of \d{4}-/)).toBeVisible()
  await expect(grid(page)).toBeVisible()
  await expect.poll(() => resultRows(page)).toEqual([['kept']])
})

test('pain 1 and 26: a lost connection is shown at once, nothing is sent, and the text is saved on reconnect', async ({
  page,
  context,
}) => {
  await runSql(page, 'create table if not exists offline_boats (name text)')
  await context.setOffline(true)
  await expect(page.getByText('Reconnecting.')).toBeVisible()
  await writeSql(page, "insert into offline_boats values ('x')")
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(results(page).getByText('Not sent: waiting for the connection')).toBeVisible()
  await results(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(results(page).getByText('You stopped this query before it was sent.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await runSql(page, 'select count(*) from offline_boats')
  await expect.poll(() => resultRows(page)).toEqual([['0']])
})

test('an untouched window follows what another one writes', async ({ page, context }) => {
  await writeSql(page, 'select 1')
  await saved(page)
  const other = await context.newPage()
  await other.goto(page.url())
  await expect.poll(() => sqlText(other)).toBe('select 1')
  await writeSql(page, 'select 22')
  await expect.poll(() => sqlText(other)).toBe('select 22')
})

test('completion offers tables after FROM, takes them with Tab, and leaves Enter alone', async ({ page }) => {
  await sqlEditor(page).focus()
  await page.keyboard.type('select')
  await page.keyboard.press('Enter')
  await page.keyboard.type('* from sample.ord')
  await expect(page.getByRole('option', { name: 'orders' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect.poll(() => sqlText(page)).toBe('select\n* from sample.ord\n')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('e')
  await expect(page.getByRole('option', { name: 'orders' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect.poll(() => sqlText(page)).toBe('select\n* from sample.orders')
})

test('tabs, history and bin are accessible in light and dark', async ({ page }) => {
  await runSql(page, 'select 1')
  await expectAccessibleBothWays(page, 'open tabs')
  await page.getByRole('button', { name: 'History' }).click()
  await expect(page.getByRole('dialog', { name: 'History' }).getByRole('table')).toBeVisible()
  await expectAccessibleBothWays(page, 'history')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Deleted queries' }).click()
  await expect(page.getByRole('dialog', { name: 'Deleted queries' })).toBeVisible()
  await expectAccessibleBothWays(page, 'bin')
})

test('pain 29: deleting all rows of a table asks first, with their number, and can be cancelled', async ({
  page,
}) => {
  await runSql(page, 'create or replace table doomed as select * from range(42) t(i)')
  await writeSql(page, 'delete from doomed')
  await page.keyboard.press('ControlOrMeta+Enter')
  const dialog = page.getByRole('dialog', { name: 'Run statement that cannot be undone?' })
  await expect(dialog).toContainText('Deletes all rows of doomed. It has 42 rows.')
  await expectAccessibleBothWays(page, 'confirmation')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await runSql(page, 'select count(*) from doomed')
  await expect.poll(() => resultRows(page)).toEqual([['42']])
  await writeSql(page, 'delete from doomed')
  await page.keyboard.press('ControlOrMeta+Enter')
  await dialog.getByRole('button', { name: 'Run anyway' }).click()
  await expect(results(page).getByText('42 rows deleted.')).toBeVisible()
})

test('pain 14: what is selected is added up and copied in several formats', async ({ page }) => {
  await runSql(page, "select i as id, 'x' || i as name from range(3) t(i)")
  await grid(page).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByRole('contentinfo').or(page.getByLabel('Status'))).toContainText('6 cells')
  const copyAs = async (format: string) => {
    await results(page).getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('menuitem', { name: format }).click()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  await expect.poll(() => copyAs('CSV')).toBe('id,name\n0,x0\n1,x1\n2,x2')
  await expect.poll(() => copyAs('INSERT statement')).toContain("(1, 'x1')")
})
