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
  await expect(page.getByRole('textbox', { name: 'Search the rows' })).toBeFocused()
  await keyboard.type('242')
  await keyboard.press('Enter')
  await expect(page.locator('[role=gridcell][data-focus]')).toContainText('242')
  await keyboard.press('Escape')
  await expect(grid(page)).toBeFocused()
  await results(page).getByRole('button', { name: 'Show all as answered' }).press('Enter')
  await expect(results(page).getByText('100 of 400 shown')).toBeHidden()

  await results(page).getByRole('radio', { name: 'Chart' }).press('Space')
  const points = page.getByRole('slider', { name: /^Points of the chart/ })
  await points.focus()
  await keyboard.press('End')
  await expect(points).toHaveAttribute('aria-valuetext', /id 199/)
  await expectAccessible(page, 'a chart')
  await page.reload()
  await expect(points).toBeVisible()
})
