import type { Locator, Page } from '@playwright/test'
import { ask } from './ask.ts'
import { expectAccessibleBothWays } from './axe.ts'
import { openNewQuery, runSql, sqlEditor, sqlText, writeSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'

/** What helps while a text is written, and what it was before. */

test.beforeEach(({ page, product }) => openNewQuery(page, product))

const openActions = (page: Page): Promise<void> =>
  page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'More actions' }).click()
const action = (page: Page, name: string): Locator => page.getByRole('menuitem', { name })
const offer = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('listbox').getByRole('option', { name }).first()
const saved = (page: Page): Promise<void> => expect(page.getByText('Saved', { exact: true })).toBeVisible()

test('a text is formatted by its key and its menu, and one step brings it back', async ({ page }) => {
  const text = "select a,'it''s' as b from t where a>1 -- why"
  const formatted = "select\n  a,\n  'it''s' as b\nfrom\n  t\nwhere\n  a > 1 -- why"
  await writeSql(page, text)
  await page.keyboard.press('Shift+Alt+F')
  await expect.poll(() => sqlText(page)).toBe(formatted)
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => sqlText(page)).toBe(text)

  await openActions(page)
  await action(page, 'Format').click()
  await expect.poll(() => sqlText(page)).toBe(formatted)

  await writeSql(page, 'select 1;\nselect (2')
  await page.keyboard.press('Shift+Alt+F')
  await expect(page.getByText('The statement on line 2 could not be formatted')).toBeVisible()
  await expect.poll(() => sqlText(page)).toBe('select\n  1;\n\nselect (2')
})

test('several cursors write at once, lines move and are commented, and brackets come in pairs', async ({
  page,
}) => {
  await writeSql(page, 'select oar\nfrom oar')
  await page.keyboard.press('ControlOrMeta+Home')
  for (const _ of 'select o') await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ControlOrMeta+d')
  await page.keyboard.press('ControlOrMeta+d')
  await page.keyboard.insertText('sail')
  await expect.poll(() => sqlText(page)).toBe('select sail\nfrom sail')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(() => sqlText(page)).toBe('from sail\nselect sail')
  await page.keyboard.press('ControlOrMeta+/')
  await expect.poll(() => sqlText(page)).toBe('from sail\n-- select sail')
  await page.keyboard.press('ControlOrMeta+/')
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => sqlText(page)).toBe('select sail\nfrom sail')
  await writeSql(page, 'select ')
  await page.keyboard.type('(1')
  await expect.poll(() => sqlText(page)).toBe('select (1)')
})

test('columns are offered for aliases, subqueries and CTEs, and taken with the key of choice', async ({
  page,
  product,
}) => {
  // A name that no other journey uses: what they leave in this product would be offered too.
  await ask(
    product,
    `create database if not exists slip;
      create or replace table slip.caiques as select 1 as boat_id, 'Skiff' as "Boat Name"`,
  )
  await sqlEditor(page).focus()
  await page.keyboard.type('with c as (select boat_id as berth from slip.caiques) select be')
  await page.keyboard.insertText(' from c')
  for (const _ of ' from c') await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('r')
  await expect(offer(page, /^berth/)).toBeVisible()
  await expect(offer(page, /^berth/)).toContainText('column')
  await page.keyboard.press('Tab')
  await expect.poll(() => sqlText(page)).toContain('select berth from c')

  await writeSql(page, '')
  await openActions(page)
  await page.getByRole('menuitemradio', { name: 'Enter', exact: true }).click()
  await page.keyboard.press('Escape')
  await sqlEditor(page).focus()
  await page.keyboard.type('select b.Na')
  await page.keyboard.insertText(' from slip.caiques b')
  for (const _ of ' from slip.caiques b') await page.keyboard.press('ArrowLeft')
  await page.keyboard.type('m')
  await expect(offer(page, /^Boat Name/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect.poll(() => sqlText(page)).toBe('select b."Boat Name" from slip.caiques b')

  await writeSql(page, '')
  await page.keyboard.type('select * from caiq')
  await expect(offer(page, /^slip\.caiques/)).toBeVisible()
  await page.keyboard.press('Enter')
  await expect.poll(() => sqlText(page)).toBe('select * from slip.caiques')
})

test('versions of a query are compared, named and restored', async ({ page }) => {
  await runSql(page, 'select 1 as first_text')
  await saved(page)
  await writeSql(page, 'select 2 as second_text')
  await saved(page)
  const dialog = page.getByRole('dialog', { name: /^Versions of / })
  const versions = dialog.getByRole('list', { name: 'Versions' }).getByRole('button')
  // The mark of a run is its own call, which the page does not wait for.
  await expect
    .poll(async () => {
      await openActions(page)
      await action(page, 'Versions').click()
      await expect(versions.first()).toBeVisible()
      const texts = await versions.allTextContents()
      const isThere = texts.length === 2 && texts.some((text) => text.includes('run '))
      if (!isThere) await page.keyboard.press('Escape')
      return isThere
    })
    .toBe(true)

  await versions.nth(1).click()
  const textOf = (name: string | RegExp) => dialog.getByRole('textbox', { name })
  await expect(textOf(/^Version of /)).toContainText('first_text')
  await expect(textOf('Present text')).toContainText('second_text')
  await expectAccessibleBothWays(page, 'versions')

  await dialog.getByRole('radio', { name: 'Version before' }).check({ force: true })
  await expect(textOf('Empty text')).toBeVisible()
  await versions.first().click()
  await dialog.getByRole('radio', { name: 'Version before' }).check({ force: true })
  await expect(textOf('Version before')).toContainText('first_text')

  await versions.nth(1).click()
  await dialog.getByRole('button', { name: 'Name', exact: true }).click()
  await dialog.getByLabel('Version name').fill('Before the change')
  await dialog.getByRole('button', { name: 'Save name' }).click()
  await expect(versions.nth(1)).toContainText('Before the change')

  await dialog.getByRole('button', { name: 'Restore' }).click()
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => sqlText(page)).toBe('select 1 as first_text')
  await sqlEditor(page).focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => sqlText(page)).toBe('select 2 as second_text')
  await saved(page)
  await page.reload()
  await expect.poll(() => sqlText(page)).toBe('select 2 as second_text')
})

test('an error says what to change, without anything being sent anywhere', async ({ page }) => {
  await runSql(page, "select cast('twelve' as integer)")
  const help = page.getByRole('region', { name: 'What you can do' })
  await expect(help).toContainText('TRY_CAST gives NULL for such values')
  await runSql(page, 'select nothing_of_this_name')
  await expect(help).toContainText('No table of FROM has this column')
  await expectAccessibleBothWays(page, 'help for an error')
})

test('without a model the assistant says so, and nothing is sent', async ({ page }) => {
  await openActions(page)
  await action(page, 'Ask the assistant').click()
  const dialog = page.getByRole('dialog', { name: 'Ask the assistant' })
  await expect(dialog).toContainText('No assistant is configured')
  await expectAccessibleBothWays(page, 'assistant')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})
