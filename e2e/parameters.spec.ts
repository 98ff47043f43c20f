import type { Locator, Page } from '@playwright/test'
import { ask } from './ask.ts'
import { expectAccessibleBothWays } from './axe.ts'
import { openNewQuery, resultRows, results, sqlEditor, writeSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'

/** Parameters of a query: each kind away from how it begins, in the link, in the history, and after a reload. */

test.beforeEach(({ page, product }) => openNewQuery(page, product))

const strip = (page: Page): Locator => page.getByRole('region', { name: 'Parameters' })
const field = (page: Page, name: string): Locator => strip(page).getByLabel(name, { exact: true })
const run = (page: Page): Promise<void> => sqlEditor(page).press('ControlOrMeta+Enter')
const shown = (page: Page, rows: string[][]) => expect.poll(() => resultRows(page)).toEqual(rows)

async function describe(page: Page, name: string, kind: string): Promise<Locator> {
  await strip(page)
    .getByRole('button', { name: `Settings of ${name}`, exact: true })
    .click()
  const dialog = page.getByRole('dialog', { name: `Edit parameter ${name}` })
  await dialog.getByLabel('Type', { exact: true }).click()
  await page.getByRole('option', { name: kind, exact: true }).click()
  return dialog
}

const save = async (dialog: Locator): Promise<void> => {
  await dialog.getByRole('button', { name: 'Save parameter' }).click()
  await expect(dialog).toBeHidden()
}

test('a value that is missing is asked for, and one with quotes is a value', async ({ page }) => {
  await writeSql(page, `select :who as who, {{who}} as again, ':who' as text, '12:30' as hour`)
  await expect(field(page, ':who')).toBeVisible()
  await run(page)
  await expect(field(page, ':who')).toBeFocused()
  await expect(strip(page).getByText('Enter a value to run this.')).toBeVisible()
  await expect(results(page).getByText(/^(Finished|Failed)$/)).toHaveCount(0)

  const attack = `'); drop table x; --`
  await page.keyboard.insertText(attack)
  await page.keyboard.press('ControlOrMeta+Enter')
  await shown(page, [[attack, attack, ':who', '12:30']])
  await expectAccessibleBothWays(page, 'a parameter with a value')

  await writeSql(page, 'select 1')
  await expect(strip(page)).toBeHidden()
})

test('each kind has its field; link, reload and history have the values', async ({ page, product }) => {
  await ask(
    product,
    `create or replace table moorings as select * from (values ('north'), ('south')) t(side)`,
  )
  const text = `select :amount + 1 as amount, :side as side, :day as day, count(*) as days
    from range(date '2026-01-01', date '2026-12-31', interval 1 day) d(berthed)
    where berthed between :period.from and :period.to and day(berthed) in (:days)`
  await writeSql(page, text)
  await expect(field(page, ':period from')).toBeVisible()

  await save(await describe(page, 'amount', 'Number'))
  await field(page, ':amount').fill('twelve')
  await run(page)
  await expect(strip(page).getByText('Enter a number, such as 12.5.')).toBeVisible()
  await field(page, ':amount').fill('12.5')

  const side = await describe(page, 'side', 'One of a list')
  await side.getByLabel('Query for the list').fill('drop table moorings')
  await side.getByRole('button', { name: 'Save parameter' }).click()
  await expect(side.getByText('must be one that only reads')).toBeVisible()
  await side.getByLabel('Query for the list').fill('select side from moorings order by side')
  await side.getByLabel('List', { exact: true }).fill('east')
  await save(side)
  await field(page, ':side').click()
  await page.getByRole('option', { name: 'south', exact: true }).click()

  await save(await describe(page, 'day', 'Date'))
  await field(page, ':day').fill('2026-11-18')

  const days = await describe(page, 'days', 'Several values')
  await days.getByLabel('Values are', { exact: true }).click()
  await page.getByRole('option', { name: 'Number', exact: true }).click()
  await save(days)
  for (const day of ['1', '2', '3']) {
    await field(page, ':days').fill(day)
    await field(page, ':days').press('Enter')
    await expect(strip(page).getByRole('button', { name: `Remove ${day}` })).toBeVisible()
  }
  await strip(page).getByRole('button', { name: 'Remove 3' }).click()

  await field(page, ':period from').fill('2026-03-01')
  await field(page, ':period to').fill('2026-02-01')
  await expect(strip(page).getByText('The first date must not be after the second.')).toBeVisible()
  await field(page, ':period to').fill('2026-04-30')
  await run(page)
  const rows = [['13.5', 'south', '2026-11-18', '4']]
  await shown(page, rows)
  await expectAccessibleBothWays(page, 'a parameter of each kind')

  const link = () => JSON.parse(new URL(page.url()).searchParams.get('values') ?? '{}') as object
  await expect.poll(link).toEqual({
    amount: ['12.5'],
    side: ['south'],
    day: ['2026-11-18'],
    period: ['2026-03-01', '2026-04-30'],
    days: ['1', '2'],
  })
  const address = new URL(page.url())
  address.searchParams.set('values', JSON.stringify({ amount: ['1'], side: ['north'] }))
  await page.goto(address.href)
  await expect(field(page, ':amount')).toHaveValue('1')
  await expect(field(page, ':side')).toHaveValue('north')
  await expect(field(page, ':day')).toHaveValue('2026-11-18')
  await run(page)
  await shown(page, [['2', 'north', '2026-11-18', '4']])

  await page.getByRole('button', { name: 'History' }).click()
  const history = page.getByRole('dialog', { name: 'History' })
  const entry = history.getByRole('row').filter({ hasText: '12.5' }).first()
  await expect(entry).toContainText(':side')
  await writeBehind(page, entry)
  await expect(field(page, ':amount')).toHaveValue('12.5')
  await expect(field(page, ':side')).toHaveValue('south')
})

/** Takes a statement of the history over, with its values. */
async function writeBehind(page: Page, entry: Locator): Promise<void> {
  await entry.getByRole('button', { name: 'Insert' }).click()
  await expect(page.getByRole('dialog', { name: 'History' })).toBeHidden()
}

test('several statements, an explanation and all rows of a limited result have the values', async ({
  page,
  product,
}) => {
  await writeSql(page, 'select :n::int as one; select range + :n::int as n from range(3000)')
  await field(page, ':n').fill('7')
  await sqlEditor(page).press('ControlOrMeta+Shift+Enter')
  const chips = page.getByRole('tablist', { name: 'Statements of this run' }).getByRole('tab')
  await expect(chips).toHaveCount(2)
  await expect(results(page).getByText('Finished')).toBeVisible()
  await expect(results(page)).toContainText('1,000')

  await page.getByRole('button', { name: 'Download' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: /^CSV.*all rows/ }).click()
  const file = await (await download).createReadStream()
  let lines = 0
  for await (const part of file) lines += String(part).split('\n').length - 1
  expect(lines).toBe(3001)

  await page.getByRole('button', { name: 'More run options' }).click()
  await page.getByRole('menuitem', { name: /^Explain/ }).click()
  await expect(results(page).getByText('Finished')).toBeVisible()

  await page.goto(
    `${product.url}/local-1/${product.accountId}/activity?text=${encodeURIComponent('range(3000)')}`,
  )
  await page.getByRole('table', { name: 'History' }).getByRole('link').first().click()
  await expect(page.getByLabel('Values of its parameters')).toContainText('7')
})
