import { writeFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { ask } from './ask.ts'
import { failure, openNewQuery, resultRows, runSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import type { Product } from './product.ts'

/** Every field of the forms is given another value than it begins with: it is kept, shown after a reload, and holds. */

const placeOf = ({ url, accountId }: Product): string => `${url}/local-1/${accountId}`
const INTERNAL = 'catalog/catalog-default_catalog-type-Internal'
const rows = (page: Page, table: string): Locator =>
  page.getByRole('table', { name: table }).locator('tbody').getByRole('row')

async function choose(page: Page, name: string | RegExp, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a warehouse has the size, the description and the idle time of its form, and stays suspended if it shall', async ({
  page,
  product,
}) => {
  await ask(product, `create user if not exists deckhand identified by 'Rowing_2026'`)
  await page.goto(`${placeOf(product)}/admin/warehouse`)
  await page.getByRole('button', { name: 'Create warehouse' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('barge')
  await dialog.getByLabel('Description').fill('Slow and heavy')
  await choose(page, 'Size', /^Medium/)
  await dialog.getByRole('switch', { name: 'Auto-suspend' }).uncheck()
  await dialog.getByRole('switch', { name: 'Auto-resume' }).uncheck()
  await dialog.getByRole('button', { name: 'Create warehouse' }).click()
  await expect(page.getByRole('heading', { name: 'barge' })).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Actions of barge' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await expect(dialog.getByLabel('Description')).toHaveValue('Slow and heavy')
  await expect(dialog.getByRole('combobox', { name: 'Size' })).toHaveValue(/^Medium/)
  await expect(dialog.getByRole('switch', { name: 'Auto-suspend' })).not.toBeChecked()
  await expect(dialog.getByRole('switch', { name: 'Auto-resume' })).not.toBeChecked()
  await dialog.getByRole('switch', { name: 'Auto-suspend' }).check()
  await dialog.getByLabel('Idle time in minutes').fill('17')
  await dialog.getByLabel('Name', { exact: true }).fill('lighter')
  await choose(page, 'Size', /^Small/)
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('heading', { name: 'lighter' })).toBeVisible()
  await expect(page.getByRole('complementary')).toContainText('17 min')
  await expect(page.getByRole('complementary')).toContainText('Small')
  await page.getByRole('button', { name: 'Grant', exact: true }).click()
  await dialog.getByLabel('User', { exact: true }).fill('deckhand')
  await dialog.getByRole('button', { name: 'Grant usage' }).click()
  await expect(dialog).toBeHidden()
  await page.reload()
  await page.getByRole('button', { name: 'Revoke usage from deckhand' }).click()
  await expect(page.getByRole('button', { name: 'Revoke usage from deckhand' })).toBeHidden()

  await openNewQuery(page, product)
  await runSql(page, 'set warehouse lighter')
  await runSql(page, 'suspend warehouse lighter')
  await runSql(page, 'select 1 as one')
  await expect(failure(page)).toBeVisible()
  await page.goto(`${placeOf(product)}/admin/warehouse`)
  await page.getByRole('radio', { name: /^Suspended/ }).check({ force: true })
  await expect(rows(page, 'Warehouses').filter({ hasText: 'lighter' })).toContainText('17 min')
  await page.getByRole('radio', { name: /^Changing/ }).check({ force: true })
  await expect(page.getByRole('link', { name: 'lighter' })).toBeHidden()
  await page.getByRole('radio', { name: /^All/ }).check({ force: true })
  await page.getByRole('button', { name: 'USD per hour' }).click()
  const prices = () =>
    page.getByRole('table', { name: 'Warehouses' }).locator('tbody td:nth-child(4)').allTextContents()
  await expect.poll(async () => (await prices()).length).toBeGreaterThan(1)
  const cheapFirst = (await prices()).map(Number).toSorted((one, other) => one - other)
  await expect.poll(async () => (await prices()).map(Number)).toEqual(cheapFirst)
  await page.getByRole('button', { name: 'USD per hour' }).click()
  await expect.poll(async () => (await prices()).map(Number)).toEqual(cheapFirst.toReversed())
})

test('a table has the types, defaults, keys and comments of its form', async ({ page, product }) => {
  await ask(
    product,
    'create database if not exists slip; create or replace view slip.seen as select 1 as one',
  )
  await page.goto(`${placeOf(product)}/${INTERNAL}/database-slip`)
  await page.getByRole('button', { name: 'Create table' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('crews')
  await dialog.getByLabel('Name of column 1').fill('id')
  await dialog.getByLabel('Type of column 1').fill('BIGINT')
  await dialog.getByRole('checkbox', { name: /^Key of column 1|key of column 1/i }).check()
  await dialog.getByRole('button', { name: 'Add column' }).click()
  await dialog.getByLabel('Name of column 2').fill('port')
  await dialog.getByLabel('Type of column 2').fill('VARCHAR')
  await dialog.getByLabel(/^Default of column 2/).fill('Bergen')
  await dialog.getByRole('checkbox', { name: /null.* of column 2/i }).uncheck()
  await dialog.getByRole('button', { name: 'Add column' }).click()
  await dialog.getByRole('button', { name: 'Remove column 3' }).click()
  await dialog.getByRole('button', { name: 'Create table' }).click()
  await expect(page.getByRole('heading', { name: 'crews', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Actions of crews' }).click()
  await page.getByRole('menuitem', { name: 'Edit comment' }).click()
  await dialog.getByLabel('Comment', { exact: true }).fill('Who rows')
  await dialog.getByRole('button', { name: 'Save comment' }).click()
  await expect(dialog).toBeHidden()
  await page.reload()
  await expect(page.getByText('Who rows')).toBeVisible()
  await expect(rows(page, 'Columns').nth(1)).toContainText('Bergen')

  await page.goto(`${placeOf(product)}/${INTERNAL}/database-slip`)
  await page.getByRole('radio', { name: /^Views/ }).check({ force: true })
  await expect(rows(page, 'Tables and views')).toHaveCount(1)
  await expect(rows(page, 'Tables and views')).toContainText('seen')
  await page.reload()
  await expect(rows(page, 'Tables and views')).toContainText('seen')

  await openNewQuery(page, product)
  await runSql(page, 'insert into slip.crews (id) values (1)')
  await runSql(page, 'select * from slip.crews')
  await expect.poll(() => resultRows(page)).toEqual([['1', 'Bergen']])
  await runSql(page, 'insert into slip.crews values (1, $$twice$$)')
  await expect(failure(page)).toBeVisible()
  await runSql(page, 'insert into slip.crews values (2, null)')
  await expect(failure(page)).toBeVisible()
})

test('a file is read, mapped and loaded as it was chosen, and not as it was before', async ({
  page,
  product,
}, testInfo) => {
  await ask(
    product,
    `create database if not exists dock;
      create or replace table dock.ports (place varchar, number bigint, extra varchar)`,
  )
  const file = testInfo.outputPath('ports.csv')
  await writeFile(file, '1,x;Malmo,SE;a\n2,y;Oslo,NO;b\n3,z;Cork,IE;c\n')
  const choosing = page.locator('input[type=file]')
  const first = rows(page, 'First rows')
  const columns = page.getByRole('table', { name: 'Columns' })
  const tasks = rows(page, 'Load tasks')
  const load = page.getByRole('button', { name: 'Load', exact: true })
  const readBySemicolons = async () => {
    await choose(page, 'Delimiter', /^Semicolon/)
    await choose(page, 'First row', 'Data')
  }
  const openLoads = async () => {
    await page.goto(`${placeOf(product)}/${INTERNAL}/database-dock`)
    await page.getByRole('button', { name: 'Load data' }).click()
    await choosing.setInputFiles(file)
    await expect(columns).toBeVisible()
  }
  await openLoads()
  let look = (): void => undefined
  const looked = new Promise<void>((resolve) => (look = resolve))
  await page.route(/\/task\/inspect-upload/, async (route) => {
    await looked
    await route.continue()
  })
  await readBySemicolons()
  await load.click()
  // The columns on the screen are still those of the first look.
  await expect(page.getByRole('alert')).toContainText('The file is being read with your settings.')
  look()
  // The preview follows what was chosen.
  await expect(first.first()).toContainText('Malmo,SE')
  await expect(first).toHaveCount(3)

  // The same file, chosen again before it was loaded, is read in the same way, and the controls say so.
  await openLoads()
  await expect(first.first()).toContainText('Malmo,SE')
  await expect(page.getByRole('combobox', { name: 'Delimiter' })).toHaveValue(/^Semicolon/)
  await expect(page.getByRole('combobox', { name: 'First row' })).toHaveValue('Data')
  await page.getByLabel('Table name').fill('new_ports')
  await columns.getByRole('checkbox').first().uncheck()
  await columns.getByRole('textbox').first().fill('place')
  await load.click()
  await expect(tasks.filter({ hasText: 'new_ports' })).toContainText('Finished')

  await openLoads()
  await readBySemicolons()
  await expect(first.first()).toContainText('Malmo,SE')
  await page.getByRole('radio', { name: 'Existing table' }).check({ force: true })
  await choose(page, 'Table', 'ports')
  const into = columns.getByRole('combobox')
  await expect(into).toHaveCount(3)
  for (const [at, name] of ['Not loaded', 'place', 'extra'].entries()) {
    await into.nth(at).click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  await load.click()
  await expect(tasks).toHaveCount(2)
  await expect(tasks.first()).toContainText('Finished')

  expect(await ask(product, 'select place, number, extra from dock.ports order by extra')).toEqual([
    ['Malmo,SE', null, 'a'],
    ['Oslo,NO', null, 'b'],
    ['Cork,IE', null, 'c'],
  ])
  expect(await ask(product, 'select place from dock.new_ports order by 1')).toEqual([
    ['Cork,IE'],
    ['Malmo,SE'],
    ['Oslo,NO'],
  ])
  expect((await ask(product, 'select * from dock.new_ports'))[0]).toHaveLength(2)
})

test('a file is read in the format and encoding, and loaded in the warehouse, that were chosen', async ({
  page,
  product,
}) => {
  await ask(
    product,
    `create warehouse if not exists ferry size = 'XSmall'; create database if not exists pilot`,
  )
  const choosing = page.locator('input[type=file]')
  const first = rows(page, 'First rows')
  const tasks = rows(page, 'Load tasks')
  const looked = first.first().or(page.getByRole('alert'))
  const loadInto = async (table: string) => {
    await expect(first.first()).toContainText('Ålesund')
    await page.getByLabel('Table name').fill(table)
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await expect(tasks.filter({ hasText: table })).toContainText('Finished')
  }
  await page.goto(`${placeOf(product)}/${INTERNAL}/database-pilot/load`)
  await choose(page, 'Warehouse', 'ferry')

  const latin = Buffer.from('place,number\nÅlesund,1\n', 'latin1')
  await choosing.setInputFiles({ name: 'latin.csv', mimeType: 'text/csv', buffer: latin })
  await expect(looked).toBeVisible()
  const again = page.getByRole('button', { name: 'Preview again' })
  await Promise.all([page.waitForRequest(/\/task\/inspect-upload/), again.click()])
  await choose(page, 'Encoding', 'LATIN-1')
  await loadInto('latin_ports')
  const lines = Buffer.from('{"place":"Ålesund","number":2}\n{"place":"Bodø","number":3}\n')
  await choosing.setInputFiles({ name: 'lines.txt', mimeType: 'text/plain', buffer: lines })
  // Not the preview of the file before, which is on the screen with its result.
  await expect(first.first()).toContainText('Bodø')
  await choose(page, 'Format', 'NDJSON')
  await loadInto('line_ports')

  expect(await ask(product, 'from pilot.latin_ports union all from pilot.line_ports order by 2')).toEqual([
    ['Ålesund', '1'],
    ['Ålesund', '2'],
    ['Bodø', '3'],
  ])
  await page.goto(`${placeOf(product)}/activity?warehouse=ferry`)
  await expect(rows(page, 'History').first()).toContainText('line_ports')
})

test('privileges of another type, on several objects, are granted, and hold after a reload', async ({
  page,
  product,
}) => {
  await ask(
    product,
    `create role if not exists keepers; create database if not exists gate_one;
      create database if not exists gate_two`,
  )
  await page.goto(`${placeOf(product)}/admin/access/role/keepers`)
  await page.getByRole('button', { name: 'Grant privileges' }).click()
  const dialog = page.getByRole('dialog')
  await choose(page, 'Object type', 'Database')
  await dialog.getByRole('searchbox', { name: 'Search by name' }).fill('gate_')
  for (const name of [/gate_one/, /gate_two/]) {
    await dialog.getByRole('treeitem', { name }).click()
    await expect(dialog.getByRole('treeitem', { name })).toHaveAttribute('aria-selected', 'true')
  }
  await dialog.getByRole('checkbox', { name: 'CREATE TABLE' }).check()
  await dialog.getByRole('switch', { name: 'With grant option' }).check()
  await dialog.getByRole('button', { name: 'Grant', exact: true }).click()
  const granted = rows(page, 'Granted privileges')
  await expect(granted).toHaveCount(2)
  await page.reload()
  await expect(granted).toHaveCount(2)
  await expect(granted.first()).toContainText('CREATE TABLE')
  await granted
    .filter({ hasText: 'gate_one' })
    .getByRole('button', { name: /^Revoke/ })
    .click()
  await dialog.getByRole('checkbox', { name: 'CREATE TABLE' }).check()
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(granted).toHaveCount(1)
  const grants = JSON.stringify(await ask(product, 'show grants for role keepers'))
  expect(grants).toContain('gate_two')
  expect(grants).not.toContain('gate_one')
})

test('the theme that is chosen is there on every page and after a reload', async ({ page, product }) => {
  await page.goto(`${placeOf(product)}/home`)
  const scheme = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme)
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const light = await background()
  await page.getByRole('button', { name: /User menu of / }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect.poll(background).not.toBe(light)
  await page.reload()
  await expect.poll(background).not.toBe(light)
  expect(await scheme()).toBe('dark')
  await page.getByRole('button', { name: 'Switch to light theme' }).click()
  await expect.poll(background).toBe(light)
})
