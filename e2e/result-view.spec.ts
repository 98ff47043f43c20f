import { expectAccessible } from './axe.ts'
import { grid, openNewQuery, resultRows, results, runSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'

const ROWS = `select i as id, ['Bern', 'Chur', 'Thun', 'Basel'][1 + i % 4] as city, {'x': i} as nested
              from range(400) t(i) order by i`

test('rows are sorted, filtered, searched and drawn, by the keyboard alone', async ({ page, product }) => {
  await openNewQuery(page, product)
  await runSql(page, ROWS)
  const { keyboard } = page
  await grid(page).focus()
  await keyboard.press('ControlOrMeta+End')
  await expect(page.locator('[role=gridcell][data-focus]')).toBeInViewport({ ratio: 1 })
  await keyboard.press('ControlOrMeta+Home')

  await keyboard.press('Alt+ArrowDown')
  await page.getByRole('menuitem', { name: 'Sort descending' }).press('Enter')
  await expect.poll(async () => (await resultRows(page))[0]?.[0]).toBe('399')
  await expect(grid(page)).toBeFocused()

  await keyboard.press('ArrowRight')
  await keyboard.press('Alt+ArrowDown')
  await page.getByRole('menuitem', { name: 'Filter…' }).press('Enter')
  await expect(page.getByLabel('Show rows with')).toBeFocused()
  await keyboard.type('= Thun')
  await expect(results(page).getByText('100 of 400 shown')).toBeVisible()
  await expect.poll(async () => (await resultRows(page))[0]?.slice(0, 2)).toEqual(['398', 'Thun'])
  await expectAccessible(page, 'rows that are filtered')

  await grid(page).focus()
  await keyboard.press('ControlOrMeta+f')
  await expect(page.getByRole('textbox', { name: 'Search rows' })).toBeFocused()
  await keyboard.type('242')
  await keyboard.press('Enter')
  await expect(page.locator('[role=gridcell][data-focus]')).toContainText('242')
  await keyboard.press('Escape')
  await expect(grid(page)).toBeFocused()
  await results(page).getByRole('button', { name: 'Reset view' }).press('Enter')
  await expect(results(page).getByText('100 of 400 shown')).toBeHidden()

  await results(page).getByRole('radio', { name: 'Chart' }).press('Space')
  const points = page.getByRole('slider', { name: /^Chart points/ })
  await points.focus()
  await keyboard.press('End')
  await expect(points).toHaveAttribute('aria-valuetext', /^(Bern|Chur|Thun|Basel): Rows 100$/)
  await expectAccessible(page, 'a chart')
  await page.reload()
  await expect(points).toBeVisible()
})

test('all kept rows are sorted and filtered, shared by a link and read there, and a statement is analysed', async ({
  page,
  product,
  context,
}) => {
  await openNewQuery(page, product)
  await runSql(page, 'set sql_select_limit = 50000')
  await runSql(page, `select i as id, 'row ' || i as name from range(20000) t(i) order by i`)
  await expect(results(page).getByText('1,000 of 20,000 rows shown')).toBeVisible()
  await expect(results(page).getByText(/ USD$/)).toBeVisible()
  await grid(page).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('menuitem', { name: 'Sort descending' }).press('Enter')
  await expect.poll(async () => (await resultRows(page))[0]?.[0]).toBe('19999')
  await expect(grid(page)).toBeFocused()
  await page.keyboard.press('Alt+ArrowDown')
  await page.getByRole('menuitem', { name: 'Filter…' }).press('Enter')
  await expect(page.getByLabel('Show rows with')).toBeFocused()
  await page.keyboard.type('< 12')
  await expect(results(page).getByText('12 of 20,000 shown')).toBeVisible()
  await expect.poll(async () => (await resultRows(page)).map(([id]) => id)).toHaveLength(12)

  await results(page).getByRole('button', { name: 'Display options' }).click()
  await page.getByRole('menuitem', { name: 'Share result…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share result' })
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const shared = dialog.getByRole('textbox', { name: 'Link to this result' })
  await expect(shared).toHaveValue(/^http/)
  const link = await shared.inputValue()
  await expectAccessible(page, 'a result that is shared')
  await page.keyboard.press('Escape')

  const other = await context.newPage()
  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'Your result' })).toBeVisible()
  await expect.poll(async () => (await resultRows(other))[0]).toEqual(['0', 'row 0'])
  await expectAccessible(other, 'the page of a shared result')
  await other.close()

  await page.getByRole('button', { name: 'More run options' }).click()
  await page.getByRole('menuitem', { name: /^Analyze/ }).click()
  await expect(page.getByRole('table', { name: /plan/i })).toBeVisible()
})
