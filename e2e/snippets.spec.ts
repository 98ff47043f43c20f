import type { Locator, Page } from '@playwright/test'
import { expectAccessibleBothWays } from './axe.ts'
import { openNewQuery, sqlEditor, sqlText, writeSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import { takePictures } from './schemes.ts'

const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name })

async function openSnippets(page: Page): Promise<void> {
  await page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Snippets' }).click()
}

test.use({ asUser: 'snippets' })
test.beforeEach(({ page, me }) => openNewQuery(page, me))

test('what was selected becomes a snippet, is offered by its name, and its deletion can be undone', async ({
  page,
}) => {
  await writeSql(page, 'select count(*) from harbour')
  await page.keyboard.press('ControlOrMeta+a')
  await openSnippets(page)
  const form = dialog(page, 'New snippet')
  await expect(form.getByLabel('Text')).toHaveValue('select count(*) from harbour')
  await form.getByLabel('Name').fill('two words')
  await form.getByRole('button', { name: 'Save snippet' }).click()
  await expect(form.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel('Name').fill('howmany')
  await form.getByLabel('Text').fill('select count(*) from ${1:harbour} where ${2:id} > 7')
  await takePictures(page, process.env['SNIPPET_PICTURES'], 'new-snippet')
  await expectAccessibleBothWays(page, 'the form of a snippet')
  await form.getByRole('button', { name: 'Save snippet' }).click()
  const list = dialog(page, 'Snippets')
  await expect(list.getByRole('row').filter({ hasText: 'howmany' })).toBeVisible()
  await takePictures(page, process.env['SNIPPET_PICTURES'], 'snippets')
  await expectAccessibleBothWays(page, 'the list of snippets')

  await list.getByRole('button', { name: 'Delete snippet howmany' }).click()
  await expect(list.getByText('Snippet howmany was deleted.')).toBeVisible()
  await expect(list.getByText('No snippets yet')).toBeVisible()
  await list.getByRole('button', { name: 'Undo' }).click()
  await expect(list.getByRole('row').filter({ hasText: 'howmany' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()

  // A page that is loaded now knows it, and Tab moves from field to field.
  await page.reload()
  await sqlEditor(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('howma')
  const offered = page.getByRole('listbox').getByRole('option', { name: 'howmany' }).first()
  await expect(offered).toBeVisible()
  await offered.click()
  await expect.poll(() => sqlText(page)).toBe('select count(*) from harbour where id > 7')
  await page.keyboard.type('quay')
  await page.keyboard.press('Tab')
  await page.keyboard.type('berth')
  await expect.poll(() => sqlText(page)).toBe('select count(*) from quay where berth > 7')
})
