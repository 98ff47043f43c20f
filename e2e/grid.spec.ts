import type { Page } from '@playwright/test'
import { grid, openNewQuery, resultRows, results, runSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import { tellFigure } from './figures.ts'
import { firstPaintOf, watchArrivals } from './first-paint.ts'
import { cpuWhile } from './page-cpu.ts'

const COLUMNS = 200
const ROWS = 1000
/** Every value says where it stands: row times 200 plus column. */
const WIDE = `select ${Array.from({ length: COLUMNS }, (_, column) => `i * ${COLUMNS} + ${column} as c${column}`).join(', ')} from range(${ROWS}) t(i) order by i`
/** As many rows as can be seen. */
const SCREENFUL = `${WIDE} limit 30`
/** What is not seen is read, and not drawn. */
const WHOLE_TIMES = 3

/** The cell that the keyboard is in. */
const activeCell = async (page: Page): Promise<string | null> => {
  const id = await grid(page).getAttribute('aria-activedescendant')
  return id === null ? null : page.locator(`[id="${id}"]`).textContent()
}

const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

test(
  'a result of 1000 rows and 200 columns is soon on the screen',
  { tag: '@measured' },
  async ({ page, product }) => {
    await watchArrivals(page)
    await openNewQuery(page, product)
    const paints: number[] = []
    const processor = (sql: string) =>
      cpuWhile(page, async () => void paints.push(await firstPaintOf(page, sql)))
    // Takes the grid away, so that the next one is drawn from nothing.
    const takeAway = () => runSql(page, 'create or replace table main.nothing (i int)')
    // The first time, code is loaded too.
    await processor(SCREENFUL)
    await takeAway()
    const screenful = await processor(SCREENFUL)
    await takeAway()
    const whole = await processor(WIDE)
    const [, ofScreenful = 0, ofWhole = 0] = paints
    tellFigure(
      `1000 x 200 from arrival to first paint: ${Math.round(ofWhole)} ms (budget 300 ms), a screenful of the same ` +
        `columns ${Math.round(ofScreenful)} ms; processor time of the page ${Math.round(whole)} ms and ` +
        `${Math.round(screenful)} ms (at most ${WHOLE_TIMES} times as much)`,
    )
    await expect.poll(async () => (await resultRows(page))[0]?.slice(0, 3)).toEqual(['0', '1', '2'])
    expect(whole).toBeLessThanOrEqual(WHOLE_TIMES * screenful)
    // What is out of sight is not in the document.
    expect(await grid(page).getByRole('gridcell').count()).toBeLessThan(2000)
  },
)

test('the wheel shows later rows, and keys move the cell to every corner', async ({ page, product }) => {
  await openNewQuery(page, product)
  await runSql(page, WIDE)
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(ROWS + 1))
  await expect(grid(page)).toHaveAttribute('aria-colcount', String(COLUMNS + 1))
  await grid(page).hover()
  await page.mouse.wheel(0, 13_000)
  await expect.poll(async () => Number((await resultRows(page))[0]?.[0])).toBeGreaterThan(400 * COLUMNS)

  await grid(page).focus()
  const presses: readonly (readonly [string, string])[] = [
    ['ControlOrMeta+Home', '0'],
    ['ArrowRight', '1'],
    ['ArrowDown', '201'],
    ['ArrowLeft', '200'],
    ['End', '399'],
    ['Home', '200'],
    ['ControlOrMeta+End', '199999'],
    ['ArrowUp', '199799'],
    ['ArrowDown', '199999'],
    ['ArrowDown', '199999'],
    ['ControlOrMeta+Home', '0'],
  ]
  for (const [key, value] of presses) {
    await page.keyboard.press(key)
    await expect.poll(() => activeCell(page), `after ${key}`).toBe(value)
  }
  await page.keyboard.press('PageDown')
  await expect.poll(async () => Number(await activeCell(page))).toBeGreaterThan(2 * COLUMNS)
  await expect(page.locator(`[role=gridcell][data-focus]`)).toBeInViewport()
})

test.describe('copying', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('gives exactly the selected cells, as spreadsheets read them', async ({ page, product }) => {
    await openNewQuery(page, product)
    await runSql(
      page,
      `select 1 as a, e'tab\\there' as b, null as c, '' as d
       union all select 2, 'say "hi"', e'two\\nlines', 'plain' order by a`,
    )
    await grid(page).focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('ControlOrMeta+c')
    const rows = '1\t"tab\there"\t\t""\n2\t"say ""hi"""\t"two\nlines"\tplain'
    await expect.poll(() => clipboard(page)).toBe(rows)
    await expect(page.getByText('Copy succeeded').first()).toBeVisible()

    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('ControlOrMeta+c')
    await expect.poll(() => clipboard(page)).toBe('1\n2')

    await page.keyboard.press('Escape')
    await results(page).getByRole('button', { name: 'Copy', exact: true }).click()
    await page.getByRole('menuitem', { name: 'TSV for spreadsheets' }).click()
    await expect.poll(() => clipboard(page)).toBe(`a\tb\tc\td\n${rows}`)
  })

  test('keeps big numbers to the digit, on the screen and in the clipboard', async ({ page, product }) => {
    const values = [
      '9007199254740993',
      '-9223372036854775808',
      '170141183460469231731687303715884105727',
      '12345678901234567890123456789012345.678',
      '0.10',
    ]
    await openNewQuery(page, product)
    await runSql(
      page,
      `select ${values[0]}::bigint, (${values[1]})::bigint, ${values[2]}::hugeint, ${values[3]}::decimal(38, 3), 0.1::decimal(4, 2)`,
    )
    await expect.poll(() => resultRows(page)).toEqual([values])
    await grid(page).focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('ControlOrMeta+c')
    await expect.poll(() => clipboard(page)).toBe(values.join('\t'))
  })
})
