import { callAs } from '@boathouse/client'
import { budget, MESSAGE_TYPES, user, warehouse } from '@boathouse/contract'
import type { Locator, Page } from '@playwright/test'
import { ask, logIn } from './ask.ts'
import { openNewQuery, results, runSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import { operator } from './operator.ts'
import type { Product } from './product.ts'

/** Every filter of the lists of what was done is moved from where it begins, and the list follows. */

const placeOf = ({ url, accountId }: Product): string => `${url}/local-1/${accountId}`
const rows = (page: Page, table: string): Locator =>
  page.getByRole('table', { name: table }).locator('tbody').getByRole('row')

async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** As a clock of this page shows it: 2026-03-01T09:00. */
const clockAt = (page: Page, hoursFromNow: number): Promise<string> =>
  page.evaluate((hours) => {
    const at = new Date(Date.now() + hours * 3_600_000)
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
  }, hoursFromNow)

test('every filter of the activity narrows the list, is in the address, and is reset', async ({
  page,
  product,
}) => {
  await openNewQuery(page, product)
  await runSql(page, 'select 1 as mooring_fine')
  await runSql(page, 'select mooring_wrong from sample.nation')
  await runSql(page, `create warehouse if not exists cutter size = 'XSmall'`)
  await runSql(page, 'set warehouse cutter')
  await runSql(page, 'select 2 as mooring_cutter')
  await page.goto(`${placeOf(product)}/activity?text=mooring_`)
  const found = rows(page, 'History')
  const nothing = page.getByRole('heading', { name: 'No statements found' })
  await expect(found).toHaveCount(3)

  const address = await found.filter({ hasText: 'mooring_cutter' }).getByRole('link').getAttribute('href')
  const queryId = /query_([0-9a-f-]{36})/.exec(address ?? '')?.[1] ?? ''
  await page.getByLabel('Search statements').fill(queryId)
  await expect(found).toHaveCount(1)
  await expect(found).toContainText('mooring_cutter')
  await page.getByLabel('Search statements').fill('mooring_')
  await expect(found).toHaveCount(3)

  await choose(page, 'State', 'Failed')
  await expect(found).toHaveCount(1)
  await expect(found).toContainText('mooring_wrong')
  await page.reload()
  await expect(found).toHaveCount(1)
  await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('Failed')
  await choose(page, 'State', 'Any state')
  await choose(page, 'Warehouse', 'cutter')
  await expect(found).toHaveCount(1)
  await expect(found).toContainText('mooring_cutter')
  await choose(page, 'Warehouse', 'Any warehouse')
  await choose(page, 'Source', 'MySQL')
  await expect(nothing).toBeVisible()
  await choose(page, 'Source', 'SQL editor')
  await expect(found).toHaveCount(3)
  await page.getByRole('radio', { name: 'Long' }).check({ force: true })
  await expect(nothing).toBeVisible()
  // How many are short, and how many took 10 s, is a matter of the machine.
  await page.getByRole('radio', { name: 'Short' }).check({ force: true })
  await expect(nothing).toBeHidden()
  await expect(page).toHaveURL(/duration=short/)
  await page.getByRole('radio', { name: 'All', exact: true }).check({ force: true })
  await expect(found).toHaveCount(3)
  await page.getByRole('textbox', { name: 'User' }).fill('nobody')
  await expect(nothing).toBeVisible()
  await page.getByRole('textbox', { name: 'User' }).fill(product.user)
  await expect(found).toHaveCount(3)
  await choose(page, 'Time', 'Last hour')
  await expect(found).toHaveCount(3)
  await choose(page, 'Time', 'Custom range')
  await page.getByLabel('Until').fill(await clockAt(page, -1))
  await expect(nothing).toBeVisible()
  await page.getByLabel('Until').fill(await clockAt(page, 1))
  await page.getByLabel('From').fill(await clockAt(page, -1))
  await expect(found).toHaveCount(3)
  await page.getByLabel('From').fill(await clockAt(page, 1))
  await expect(nothing).toBeVisible()
  await page.getByRole('button', { name: 'Reset filters' }).first().click()
  await expect(page.getByLabel('Search statements')).toHaveValue('')
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await expect(found.first()).toBeVisible()
})

test('the audit log and the sign-ins are narrowed by each of their filters', async ({ page, product }) => {
  await ask(product, 'create role if not exists lookout_role; create database if not exists lookout_base')
  await page.goto(`${placeOf(product)}/admin/security?tab=audit`)
  const log = 'Entries of the audit log'
  await page.getByRole('searchbox', { name: 'Search entries' }).fill('lookout_')
  await expect(rows(page, log)).toHaveCount(2)
  await choose(page, 'Object type', 'role')
  await expect(rows(page, log)).toHaveCount(1)
  await expect(rows(page, log)).toContainText('lookout_role')
  await choose(page, 'Object type', 'Any object type')
  const none = page.getByRole('heading', { name: 'No entries found' })
  await page.getByLabel('Actor').fill('nobody')
  await expect(none).toBeVisible()
  await page.getByLabel('Actor').fill(product.user)
  await expect(rows(page, log)).toHaveCount(2)
  await page.getByLabel('Until').fill(await clockAt(page, -1))
  await expect(none).toBeVisible()
  await page.getByLabel('Until').fill(await clockAt(page, 1))
  await page.getByLabel('From').fill(await clockAt(page, -1))
  await expect(rows(page, log)).toHaveCount(2)
  await page.getByRole('button', { name: 'Reset filters' }).click()
  await expect(page.getByRole('searchbox', { name: 'Search entries' })).toHaveValue('')

  await page.getByRole('tab', { name: 'Sign-ins' }).click()
  await expect(rows(page, 'Sign-ins').first()).toContainText(product.user)
  await choose(page, 'Outcome', 'Wrong password')
  await expect(page.getByRole('heading', { name: 'No sign-ins found' })).toBeVisible()
  await choose(page, 'Outcome', 'Signed in')
  await expect(rows(page, 'Sign-ins').first()).toContainText('Signed in')
  await page.getByRole('textbox', { name: 'User' }).fill('nobody')
  await expect(page.getByRole('heading', { name: 'No sign-ins found' })).toBeVisible()
  await page.getByRole('textbox', { name: 'User' }).fill(product.user)
  await expect(rows(page, 'Sign-ins').first()).toContainText(product.user)
  await page.getByLabel('Until').fill(await clockAt(page, -2))
  await expect(page.getByRole('heading', { name: 'No sign-ins found' })).toBeVisible()
  await page.getByLabel('Until').fill(await clockAt(page, 2))
  await page.getByLabel('From').fill(await clockAt(page, -2))
  await expect(rows(page, 'Sign-ins').first()).toContainText(product.user)
  await page.getByLabel('From').fill(await clockAt(page, 1))
  await expect(page.getByRole('heading', { name: 'No sign-ins found' })).toBeVisible()
})

test('usage is shown for another month, in another unit and as a table; a budget keeps what was chosen', async ({
  page,
  product,
}) => {
  await openNewQuery(page, product)
  await runSql(page, 'select count(*) as tide from sample.orders')
  await expect(results(page).getByText(/ USD$/)).toBeVisible()
  await page.goto(`${placeOf(product)}/admin/usage-and-billing?tab=usage`)
  await page.getByRole('radio', { name: 'Table' }).check({ force: true })
  await expect(page.getByRole('table', { name: /per day/ })).toBeVisible()
  await page.getByRole('radio', { name: 'CCU' }).check({ force: true })
  await expect(page.getByRole('table', { name: /CCU per day/ })).toBeVisible()
  await page.getByRole('button', { name: product.user, exact: true }).click()
  await expect(page.getByRole('heading', { name: `Statements of ${product.user}` })).toBeVisible()
  await page.getByRole('combobox', { name: 'Month' }).click()
  await page.getByRole('option').nth(1).click()
  await expect(page.getByRole('heading', { name: /^Nothing was used|No usage/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: /^Nothing was used|No usage/ })).toBeVisible()

  await page.getByRole('tab', { name: 'Budgets' }).click()
  await page.getByRole('button', { name: 'Set budget' }).click()
  const dialog = page.getByRole('dialog')
  await choose(page, 'Budget for', 'Warehouse default_warehouse')
  await dialog.getByLabel('USD per month').fill('99999.50')
  await choose(page, 'Warn at', '90 %')
  await choose(page, 'When it is used up', 'Suspend warehouses')
  await dialog.getByRole('button', { name: 'Save budget' }).click()
  const row = rows(page, 'Budgets').filter({ hasText: 'default_warehouse' })
  await expect(row).toContainText('99999.50')
  await page.reload()
  await expect(row).toContainText('Suspend warehouses')
  await row.getByRole('button', { name: /^Edit/ }).click()
  await expect(dialog.getByLabel('USD per month')).toHaveValue('99999.50')
  await expect(dialog.getByRole('combobox', { name: 'Warn at' })).toHaveValue('90 %')
  await expect(dialog.getByRole('combobox', { name: 'When it is used up' })).toHaveValue('Suspend warehouses')
  await choose(page, 'When it is used up', 'Refuse new statements')
  await dialog.getByRole('button', { name: 'Save budget' }).click()
  await expect(row).toContainText('Refuse new statements')
  await row.getByRole('button', { name: /^Remove/ }).click()
  await page.getByRole('button', { name: 'Remove budget', exact: true }).click()
  await expect(row).toHaveCount(0)
})

test('usage is that of the account that was chosen, and a message of the service is marked as read', async ({
  page,
  product,
}) => {
  const [{ org }] = await operator<[{ org: string }]>(product, 'org', 'list')
  const words = ['account', 'create', org, 'Wherry', '--admin', 'ida', '--email', 'ida@wherry.example']
  const { account } = await operator<{ account: string }>(product, ...words)
  // A suspended warehouse is charged for at least a minute, which is more than the budget.
  await ask(
    product,
    `create warehouse if not exists gauge size = 'XSmall'; set warehouse gauge; select 1 as one;
      suspend warehouse gauge`,
  )
  const login = await logIn(product)
  const { warehouses } = await callAs(login, warehouse.list, {})
  const warehouseId = warehouses.find(({ name }) => name === 'gauge')?.warehouseId ?? ''
  const { budgetId } = await callAs(login, budget.set, {
    usd: '0.01',
    accountId: product.accountId,
    warehouseId,
  })
  // Budgets are looked at every few seconds, and a page shows the messages that there were when it was opened.
  await expect
    .poll(async () => (await callAs(login, user.listUnreadMessages, {})).messages.map(({ type }) => type))
    .toContain(MESSAGE_TYPES.BudgetReached)

  await page.goto(`${placeOf(product)}/admin/usage-and-billing?tab=usage`)
  const own = page.getByRole('button', { name: product.user, exact: true })
  await expect(own).toBeVisible()
  await choose(page, 'Account', 'Wherry')
  await expect(own).toBeHidden()
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Account' })).toHaveValue('Wherry')
  await expect(own).toBeHidden()
  await choose(page, 'Account', 'All accounts')
  await expect(own).toBeVisible()

  await page.getByRole('button', { name: 'Notifications, some unread' }).click()
  const messages = page.getByRole('region', { name: 'From the service' })
  const unread = messages.getByRole('listitem').filter({ hasText: 'A budget is used up' })
  await expect(unread).toHaveCount(1)
  // Others may be there of what other journeys did.
  const mark = unread.getByRole('button', { name: 'Mark as read' })
  await mark.click()
  await expect(mark).toHaveCount(0)
  await page.reload()
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(unread).toHaveCount(1)
  await expect(mark).toHaveCount(0)
  await callAs(login, budget.delete, { budgetId })
  await operator(product, 'account', 'delete', account, '--confirm', account)
})
