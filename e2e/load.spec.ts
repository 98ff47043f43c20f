import { gzipSync } from 'node:zlib'
import { ask } from './ask.ts'
import { inRepository } from './repository.ts'
import { expectAccessibleBothWays } from './axe.ts'
import { expect, signedInTest } from './console-test.ts'
import { takePictures } from './schemes.ts'

const FILE = { name: 'voyages.csv.gz', mimeType: 'application/gzip' }
const BROKEN = 'id,port,paid\n1,Oslo,2024-05-01\nx,Rome,2024-05-02\n3,"Cork, IE",\n'

signedInTest.use({ viewport: { width: 1280, height: 720 } })

signedInTest(
  `somebody loads a file with a broken row into a new table, sees what was left out, and drops the task, in light and dark [WH-46, WH-47]`,
  async ({ page, product }) => {
    signedInTest.slow()
    const look = (name: string) => takePictures(page, process.env['LOAD_PICTURES'], name)
    const table = 'voyages_kept'
    const catalog = 'catalog-default_catalog-type-Internal'
    await page.goto(`${product.url}/local-1/${product.accountId}/catalog/${catalog}/database-main`)
    await page.getByRole('button', { name: 'Load data' }).click()
    await expect(page.getByRole('heading', { name: 'Load data', exact: true })).toBeVisible()
    await look('load-empty')
    await expectAccessibleBothWays(page, 'the page on which files are loaded')
    const choose = page.locator('input[type=file]')
    await choose.setInputFiles({ name: 'sheet.xls', mimeType: 'x/y', buffer: Buffer.from('x') })
    await expect(page.getByText('You can only load XLSX spreadsheets.')).toBeVisible()

    await choose.setInputFiles({ ...FILE, buffer: gzipSync(BROKEN) })
    const columns = page.getByRole('table', { name: 'Columns' })
    await expect(columns).toBeVisible()
    await expect(page.getByRole('table', { name: 'First rows' })).toContainText('Cork, IE')
    await columns.getByRole('combobox', { name: 'Type of id' }).click()
    await page.getByRole('option', { name: 'BIGINT' }).click()
    await page.getByLabel('Table name').fill(table)
    await page.getByRole('button', { name: 'Load', exact: true }).scrollIntoViewIfNeeded()
    await look('load-review')
    await expectAccessibleBothWays(page, 'the review of a file')
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    const tasks = page.getByRole('table', { name: 'Load tasks' })
    const task = tasks.getByRole('row').filter({ hasText: table }).first()
    await expect(task).toContainText('Failed')

    // The file and what was chosen are still there, and one row may be left out now.
    const result = page.getByRole('region', { name: 'Result' })
    await expect(result).toContainText('Nothing was loaded.')
    await expect(page.getByLabel('Table name')).toHaveValue(table)
    await page.getByLabel('Maximum rejected rows').fill('1')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(result).toContainText('2 rows were loaded')
    await expect(result.getByRole('link', { name: `Open table ${table}` })).toBeVisible()
    await look('load-result')
    await expectAccessibleBothWays(page, 'the result of a load')
    await expect(task).toContainText('Finished')
    await expect(task).toContainText('1 rejected')
    const actions = task.getByRole('button', { name: 'Actions for load of voyages.csv' })
    await actions.click()
    await page.getByRole('menuitem', { name: 'Details' }).click()
    const details = page.getByRole('dialog', { name: 'Load of voyages.csv' })
    await expect(details.getByRole('table', { name: 'Rejected rows' })).toContainText('x,Rome')
    await look('load-details')
    await expectAccessibleBothWays(page, 'the details of a load')
    await details.getByRole('button', { name: 'Close' }).click()
    await actions.click()
    await page.getByRole('menuitem', { name: 'Remove from list' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove from list' }).click()
    await expect(task).not.toContainText('Finished')
  },
)

signedInTest(
  'somebody reviews a large file while it is uploaded, is shown the rows that spoil a type, and a later value widens a column',
  async ({ page, product }) => {
    signedInTest.slow()
    const look = (name: string) => takePictures(page, process.env['LOAD_PICTURES'], name)
    const first = 'id,port,mass\n17,Oslo,n/a\n'
    const lines = '7000001,Port of Oslo,12\n'.repeat(800_000)
    const buffer = Buffer.from(`${first}${lines}1.5,Cork,13\n`)
    let release: (() => void) | undefined
    const reviewed = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/upload\/[^/]+\/2$/, async (route) => {
      await reviewed
      await route.continue()
    })
    await page.goto(`${product.url}/local-1/${product.accountId}/home`)
    await page.getByRole('main').getByRole('button', { name: 'Load data' }).click()
    await page.locator('input[type=file]').setInputFiles({ name: 'calls.csv', mimeType: 'text/csv', buffer })
    const phases = page.getByRole('list', { name: 'Progress' })
    await expect(phases).toContainText('Detected in the first 8.4 MB')
    await expect(page.getByText('Line 2: n/a is not of the type BIGINT.')).toBeVisible()
    await page.getByLabel('Table name').fill('calls_of_ships')
    await look('load-arriving')
    await expectAccessibleBothWays(page, 'the review of a file that is uploaded')
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await expect(page.getByText('The load starts when the upload is complete.')).toBeVisible()
    await look('load-chosen')
    release?.()
    const task = page
      .getByRole('table', { name: 'Load tasks' })
      .getByRole('row')
      .filter({ hasText: 'calls_of_ships' })
    await expect(task).toContainText('Finished')
    await expect(task).toContainText('1 column widened')
    await task.getByRole('button', { name: 'Actions for load of calls.csv' }).click()
    await page.getByRole('menuitem', { name: 'Details' }).click()
    const widened = page.getByRole('dialog').getByRole('table', { name: 'Widened columns' })
    await expect(widened).toContainText('1.5 is not of the type BIGINT.')
    await look('load-widened')
  },
)

signedInTest('somebody chooses a sheet of a spreadsheet and loads it', async ({ page, product }) => {
  signedInTest.slow()
  await page.goto(`${product.url}/local-1/${product.accountId}/home`)
  await page.getByRole('main').getByRole('button', { name: 'Load data' }).click()
  await page.locator('input[type=file]').setInputFiles(inRepository('e2e/fixtures/fleet.xlsx'))
  const rows = page.getByRole('table', { name: 'First rows' })
  await expect(rows).toContainText('Oslo')
  await page.getByRole('combobox', { name: 'Sheet' }).click()
  await page.getByRole('option', { name: 'Crews' }).click()
  await expect(rows).toContainText('2024-05-01')
  await takePictures(page, process.env['LOAD_PICTURES'], 'load-sheet')
  await page.getByLabel('Table name').fill('crews_of_a_sheet')
  await page.getByRole('button', { name: 'Load', exact: true }).click()
  const task = page
    .getByRole('table', { name: 'Load tasks' })
    .getByRole('row')
    .filter({ hasText: 'crews_of_a_sheet' })
  await expect(task).toContainText('Finished')
})

signedInTest(
  'somebody pastes a table, says how its dates and numbers are written, loads NULL for a mistake, and queries it',
  async ({ page, product }) => {
    signedInTest.slow()
    const look = (name: string) => takePictures(page, process.env['LOAD_PICTURES'], name)
    await page.goto(`${product.url}/local-1/${product.accountId}/home`)
    await page.getByRole('main').getByRole('button', { name: 'Load data' }).click()
    await page.getByRole('button', { name: 'Paste table' }).click()
    const lines = Array.from({ length: 40 }, (_, at) => `${at}\t0${(at % 9) + 1}/02/2024\t1.${100 + at},50`)
    lines[7] = 'n/a\t01/02/2024\t1,5'
    const pasted = page.getByLabel('Table from a spreadsheet')
    await pasted.fill(`id\tpaid\tprice\n${lines.join('\n')}`)
    await page.getByRole('button', { name: 'Use table' }).click()
    const rows = page.getByRole('table', { name: 'First rows' })
    await expect(rows).toContainText('1.100,50')
    await page.getByRole('combobox', { name: 'Numbers' }).click()
    await page.getByRole('option', { name: '1.234,56' }).click()
    await expect(rows).toContainText('1100.5')
    await page.getByRole('combobox', { name: 'Dates' }).click()
    await page.getByRole('option', { name: 'Day/month/year (31/12/2024)' }).click()
    await expect(rows).toContainText('2024-02-09')
    await expect(page.getByText('Line 9: n/a is not of the type BIGINT.')).toBeVisible()
    await page.getByRole('combobox', { name: 'Values of id that do not fit' }).click()
    await page.getByRole('option', { name: 'Use BIGINT and load these values as NULL' }).click()
    await page.getByLabel('Table name').fill('pasted_fares')
    await look('load-written')
    await expectAccessibleBothWays(page, 'the settings of a pasted table')
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    const result = page.getByRole('region', { name: 'Result' })
    await expect(result).toContainText('40 rows were loaded into pasted_fares.')
    await expect(result).toContainText('1 value of id did not fit and is NULL.')
    await result.getByRole('button', { name: 'Query table' }).click()
    await expect(page).toHaveURL(/\/editor/)
    await expect(page.locator('.cm-content')).toContainText('pasted_fares')
  },
)

signedInTest(
  'several files are chosen at once: the first is set up, the others follow it, and one with other columns says so',
  async ({ page, product }) => {
    signedInTest.slow()
    await page.goto(`${product.url}/local-1/${product.accountId}/home`)
    await page.getByRole('main').getByRole('button', { name: 'Load data' }).click()
    // Alone, the second one would be read as month and day.
    const contents = [
      'day,boats\n25/01/2026,1\n02/01/2026,2\n',
      'boats,day\n3,01/02/2026\n',
      'boats,date\n4,x\n',
    ]
    const files = contents.map((text, at) => ({
      name: `month${at + 1}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    }))
    await page.locator('input[type=file]').setInputFiles(files)
    const others = page.getByRole('table', { name: 'Other files' })
    await expect(others.getByText('Waiting')).toHaveCount(2)
    await page.getByLabel('Table name').fill('boats_by_month')
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await expect(others.getByRole('row').filter({ hasText: 'month2.csv' })).toContainText('1 row loaded')
    const refused = others.getByRole('row').filter({ hasText: 'month3.csv' })
    await expect(refused).toContainText(
      'Its columns are not those of month1.csv. Missing: day. Additional: date.',
    )
    await expect(refused.getByRole('button', { name: 'Try again' })).toBeEnabled()
    await takePictures(page, process.env['LOAD_PICTURES'], 'load-several')
    await expectAccessibleBothWays(page, 'several files')
    const tasks = page.getByRole('table', { name: 'Load tasks' })
    await expect(tasks.getByRole('row').filter({ hasText: 'boats_by_month' })).toHaveCount(2)
    const rows = await ask(product, 'select day::varchar, boats from main.boats_by_month order by boats')
    expect(rows).toEqual([
      ['2026-01-25', '1'],
      ['2026-01-02', '2'],
      ['2026-02-01', '3'],
    ])
  },
)
