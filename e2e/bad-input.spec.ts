import { LIMITS } from '@boathouse/contract'
import type { Page } from '@playwright/test'
import {
  failure,
  grid,
  newQuery,
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

/** Bad input ends soon with a message of one sentence; nothing is lost, and the page keeps working. */

// Alone: queries that others save would push these out of the part of the tree that is drawn.
test.use({ asUser: 'bad-input', permissions: ['clipboard-read', 'clipboard-write'] })
test.beforeEach(({ page, me }) => openNewQuery(page, me))

const shownTab = (page: Page) =>
  page.getByRole('tablist', { name: 'Open queries' }).getByRole('tab', { selected: true })
const tree = (page: Page) => page.getByRole('tree', { name: 'Saved queries' })
const item = (page: Page, name: string) => tree(page).getByRole('treeitem', { name, exact: true })
const status = (page: Page) => page.getByLabel('Status')
const saved = (page: Page) => expect(status(page).getByText('Saved', { exact: true })).toBeVisible()

/** As from another program. The text is made in the page, which is faster than sending it there. */
async function paste(page: Page, piece: string, times: number): Promise<void> {
  await page.evaluate(([text, count]) => navigator.clipboard.writeText(text.repeat(count)), [
    piece,
    times,
  ] as const)
  await sqlEditor(page).press('ControlOrMeta+v')
}

/** The page still takes keys and runs what is at the cursor. */
async function expectAnswers(page: Page, word: string): Promise<void> {
  await sqlEditor(page).press('ControlOrMeta+End')
  await page.keyboard.insertText(`;\nselect '${word}'`)
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect.poll(() => resultRows(page)).toEqual([[word]])
}

const keptText = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((one) => one.startsWith('boathouse-text.')) ?? ''
    return (JSON.parse(localStorage.getItem(key) ?? '{}') as { sql?: string }).sql ?? ''
  })

test('a script of 5 MB is kept in the browser, is marked as too long to save, and a statement of it runs', async ({
  page,
}) => {
  const line = `select ${'1234567890 + '.repeat(7)} 1;\n`
  const times = Math.ceil(5_000_000 / line.length)
  await paste(page, line, times)
  const held = status(page).getByTitle(/^The server saves up to 1,048,576 characters/)
  await expect(held).toHaveText('Too long to save')
  await expectAnswers(page, 'still here')

  await sqlEditor(page).press('ControlOrMeta+Shift+Enter')
  await expect(results(page)).toContainText('You can run at most 1,048,576 characters')
  await page.reload()
  await expect(held).toBeVisible()
  expect(await keptText(page)).toBe(`${line.repeat(times)};\nselect 'still here'`)
})

test('a line of 1 MB is saved, wrapped and run', async ({ page }) => {
  await sqlEditor(page).focus()
  await page.keyboard.insertText("select '")
  await paste(page, 'x', 1_000_000)
  await page.keyboard.insertText("' as long")
  await saved(page)
  await page.keyboard.press('Alt+z')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(results(page).getByText('Finished', { exact: true })).toBeVisible()
  await expect(grid(page).getByRole('gridcell').first()).toContainText('xxxxxxxx')
  await expectAnswers(page, 'after it')
  await saved(page)
  await page.reload()
  await expect.poll(() => sqlText(page)).not.toBe('')
  await sqlEditor(page).press('ControlOrMeta+End')
  await expect(sqlEditor(page).locator('.cm-line').last()).toHaveText("select 'after it'")
})

test('results of 1,000 columns, of a value of 50 MB, of every script and of nothing but NULL are shown', async ({
  page,
}) => {
  const columns = Array.from({ length: 1000 }, (_, at) => `i + ${at} as column_${at}`)
  await runSql(page, `select ${columns.join(', ')} from range(100) t(i)`)
  await expect(results(page).getByText('1,000 columns', { exact: true })).toBeVisible()
  await grid(page).focus()
  await page.keyboard.press('ControlOrMeta+End')
  await expect(page.locator('[role=gridcell][data-focus]')).toHaveText('1098')

  await runSql(
    page,
    `select string_agg(repeat('x', 1000000), '') as big, 'beside it' as small from range(50)`,
  )
  await expect(grid(page).getByRole('gridcell').nth(1)).toHaveText('beside it')
  await grid(page).getByRole('gridcell').first().dblclick()
  const value = page.getByRole('dialog', { name: 'big' })
  await expect(value).toContainText('50,000,000 characters')
  await expect(value).toContainText('Showing the first 200,000 characters.')
  await page.keyboard.press('Escape')

  const words = ['😀🛶 𝒷𝑜𝒶𝓉', 'שלום (1) abc', 'مرحبا بالعالم', '北亚', 'e\u0301\u200d']
  await runSql(page, `select ${words.map((word) => `'${word}'`).join(', ')}`)
  await expect.poll(() => resultRows(page)).toEqual([words])
  await saved(page)
  await page.reload()
  await expect.poll(() => sqlText(page)).toContain(words.join("', '"))

  await runSql(page, 'select null as a, null::int as b, null::json as c from range(1000)')
  await grid(page).focus()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(status(page)).toContainText('3,000 cells')
  await expect(status(page)).toContainText('3,000 NULL')
})

test('names at and over their limits are taken and refused in the words of the rule [EDITOR-09, EDITOR-10, EDITOR-11]', async ({
  page,
}) => {
  const longest = 'n'.repeat(LIMITS.queryNameLength)
  const refusals = async (label: string, missing: string) => {
    const field = page.getByLabel(label)
    for (const [name, words] of [
      ['', missing],
      ['   ', missing],
      [`${longest}n`, `The maximum length is ${LIMITS.queryNameLength}`],
    ] as const) {
      await field.fill(name)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('dialog').getByText(words, { exact: true })).toBeVisible()
      await expect(field).toHaveValue(name)
    }
    await field.fill(longest)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await item(page, (await shownTab(page).textContent()) ?? '').focus()
  await page.keyboard.press('F2')
  await refusals('Query name', 'Enter the query name')
  await expect(shownTab(page)).toHaveText(longest)
  await page.getByRole('button', { name: 'Create folder' }).click()
  await refusals('Folder name', 'Enter the folder name')
  await page.getByLabel('Filter queries').fill(longest)
  await expect(item(page, longest)).toHaveCount(2)
})

test('of a tab deleted in another window the untouched text goes, and what is unsaved brings it back', async ({
  page,
  browser,
  signedIn,
}) => {
  const remove = async (other: Page, name: string) => {
    await item(other, name).focus()
    await other.keyboard.press('Delete')
    await expect(item(other, name)).toHaveCount(0)
  }
  const context = await browser.newContext({ storageState: signedIn })
  const other = await context.newPage()
  await writeSql(page, "select 'untouched'")
  await saved(page)
  await other.goto(page.url())
  await remove(other, (await shownTab(page).textContent()) ?? '')
  await expect(page.getByText('The query at this address no longer exists')).toBeVisible()

  await newQuery(page)
  const name = new URL(page.url()).searchParams.get('tabName') ?? ''
  await expect(shownTab(page)).toHaveText(name)
  await expect(item(other, name)).toBeVisible()
  await page.context().setOffline(true)
  await writeSql(page, "select 'unsaved'")
  await expect(status(page).getByText('Saved in this browser only')).toBeVisible()
  await remove(other, name)
  await page.context().setOffline(false)
  await saved(page)
  await expect(item(other, name)).toBeVisible()
  await expect.poll(() => sqlText(page)).toBe("select 'unsaved'")
  await context.close()
})

test('a folder does not go into itself, by dragging, by the dialog or by a list that is not up to date', async ({
  page,
  context,
}) => {
  await page.getByLabel('Filter queries').fill('shell')
  for (const name of ['Outer shell', 'Inner shell']) {
    await page.getByRole('button', { name: 'Create folder' }).click()
    await page.getByLabel('Folder name').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Create folder' }).click()
    await expect(item(page, name)).toBeVisible()
  }
  const moveInto = async (at: Page, [name, target]: readonly [string, string]) => {
    await item(at, name).focus()
    await at.keyboard.press('Shift+F2')
    const dialog = at.getByRole('dialog', { name: `Move ${name}` })
    await dialog.getByRole('combobox').click()
    await at.getByRole('option', { name: target, exact: true }).click()
    await dialog.getByRole('button', { name: 'Move' }).click()
    return dialog
  }
  // The list of this window stays as it is while another one moves the inner one into the outer one.
  let letGo = () => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/editor/list-tab-tree', async (route) => {
    await held
    await route.continue()
  })
  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByLabel('Filter queries').fill('shell')
  await expect(await moveInto(other, ['Inner shell', 'Outer shell'])).toHaveCount(0)
  const dialog = await moveInto(page, ['Outer shell', 'Inner shell'])
  await expect(page.getByText('A folder cannot be moved into itself or into a folder in it.')).toBeVisible()
  letGo()
  await expect(item(page, 'Inner shell')).toHaveAttribute('aria-level', '2')
  await dialog.getByRole('combobox').click()
  await expect(page.getByRole('option', { name: 'Inner shell' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')

  await item(page, 'Outer shell').dragTo(item(page, 'Inner shell'))
  await item(page, 'Outer shell').dragTo(item(page, 'Outer shell'))
  await expect(item(page, 'Outer shell')).toHaveAttribute('aria-level', '1')
  await expect(item(page, 'Inner shell')).toHaveAttribute('aria-level', '2')
})

test('with a full browser storage the server saves, and the page warns before unsaved text is lost', async ({
  page,
  context,
}) => {
  await page.evaluate(() => {
    for (const storage of [localStorage, sessionStorage])
      for (let size = 8 * 1024 * 1024; size >= 1; size = Math.floor(size / 2))
        try {
          for (let at = 0; at < 2; at++) storage.setItem(`filler-${size}-${at}`, 'x'.repeat(size))
        } catch {
          // Full for this size: a smaller one may still fit.
        }
  })
  await page.reload()
  await runSql(page, "select 'no room'")
  await expect.poll(() => resultRows(page)).toEqual([['no room']])
  await saved(page)

  await context.setOffline(true)
  await writeSql(page, "select 'nowhere'")
  const unkept = status(page).getByTitle(/^Neither the server nor this browser could save this text/)
  await expect(unkept).toHaveText('Not saved')
  const asked = page.waitForEvent('dialog')
  void page.reload().catch(() => undefined)
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await expect.poll(() => sqlText(page)).toBe("select 'nowhere'")
  await context.setOffline(false)
  await saved(page)
  await sendSql(page, 'select nowhere')
  await expect(failure(page)).toBeVisible()
  await saved(page)
  await page.reload()
  await expect.poll(() => sqlText(page)).toBe('select nowhere')
})
