import { editor } from '@boathouse/contract'
import type { Locator, Page } from '@playwright/test'
import { callAs } from '@boathouse/client'
import { expectAccessibleBothWays } from './axe.ts'
import { sqlEditor } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import { personOf } from './person.ts'
import type { Product } from './product.ts'

test.use({ asUser: 'harbourmaster' })

/** Its row is found by its name, whatever else is scheduled. */
async function openQuery(page: Page, me: Product, tabName: string): Promise<void> {
  const { login } = await personOf(me)
  const sql = 'select 7 as height where :least < 7'
  const parameters = [{ name: 'least', kind: 'number' as const, value: ['3'] }]
  const { tabId } = await callAs(login, editor.createTab, { tabName, sql, parameters })
  const address = new URLSearchParams({ activeTab: tabId, tabName })
  await page.goto(`${me.url}/local-1/${me.accountId}/editor?${address}`)
  await expect(sqlEditor(page)).toBeVisible()
}

const rowOf = (page: Page, name: string): Locator =>
  page.getByRole('table', { name: 'Schedules' }).getByRole('row').filter({ hasText: name })

async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for the schedule of ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('a saved query is scheduled, run at once, paused, changed and looked up in its runs', async ({
  page,
  me,
}) => {
  const name = 'tide table'
  await openQuery(page, me, name)
  await page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Schedule' }).click()
  const form = page.getByRole('dialog', { name: `Schedule ${name}` })
  const save = form.getByRole('button', { name: 'Save schedule' })
  const next = form.getByRole('region', { name: 'Next runs' })
  await expect(next.getByRole('listitem')).toHaveCount(3)

  await form.getByText('Cron', { exact: true }).click()
  const cron = form.getByLabel('Cron expression')
  await cron.fill('75 9 * * *')
  await save.click()
  await expect(form.getByText('75 is not a minute. It is between 0 and 59.')).toBeVisible()
  await expect(cron).toBeFocused()
  await expect(next).toContainText('Complete the fields above')
  await expectAccessibleBothWays(page, 'the form of a schedule')

  await form.getByText('Weekly', { exact: true }).click()
  await form.getByLabel('Time zone').fill('Asia/Kolkata')
  await page.getByRole('option', { name: 'Asia/Kolkata' }).click()
  await form.getByLabel('Time', { exact: true }).fill('23:30')
  await expect(next.getByRole('listitem').first()).toContainText(/^Monday, .* at 23:30 GMT\+5:30$/)
  await form.getByLabel('Notify of').click()
  await page.getByRole('option', { name: 'A value above' }).click()
  await save.click()
  await expect(form.getByText('Enter the name of a column.')).toBeVisible()
  await form.getByLabel('Column').fill('height')
  await form.getByLabel('Value').fill('5')
  await form.getByLabel('Quiet time').click()
  await page.getByRole('option', { name: '4 hours' }).click()
  const people = form.getByRole('combobox', { name: 'Notify also' })
  await people.click()
  await people.fill('adm')
  await page.getByRole('option', { name: 'admin', exact: true }).click()
  await expect(form.getByRole('list', { name: 'Notified beside you' })).toHaveText('admin')
  await save.click()
  await expect(page.getByText('The schedule is saved.').first()).toBeVisible()
  await expect(form).toBeHidden()

  await page.goto(`${me.url}/local-1/${me.accountId}/activity`)
  await page.getByRole('link', { name: 'Schedules' }).click()
  await expect(rowOf(page, name)).toContainText('Every Monday at 23:30 · Asia/Kolkata')
  await expect(rowOf(page, name)).toContainText('Not run yet')
  await choose(page, name, 'Run now')
  await expect(rowOf(page, name)).toContainText('Finished')
  await expectAccessibleBothWays(page, 'schedules')

  await rowOf(page, name).getByRole('button', { name: 'Runs' }).click()
  const runs = page.getByRole('dialog', { name: `Runs of ${name}` })
  const run = runs.getByRole('row').filter({ hasText: 'by hand' })
  await expect(run).toContainText('Finished')
  await expect(run).toContainText('Notified')
  await expectAccessibleBothWays(page, 'runs of a schedule')
  await run.getByRole('link', { name: /Open the statement/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Query /)
  await page.goBack()

  await choose(page, name, 'Pause')
  await expect(rowOf(page, name)).toContainText('Paused')
  await choose(page, name, 'Edit schedule')
  await expect(form.getByLabel('Time', { exact: true })).toHaveValue('23:30')
  await expect(form.getByLabel('Column')).toHaveValue('height')
  await form.getByText('Hourly', { exact: true }).click()
  await form.getByLabel('Minute of the hour').fill('5')
  await save.click()
  await expect(rowOf(page, name)).toContainText('Every hour at minute 5')
  await choose(page, name, 'Resume')
  await expect(rowOf(page, name)).not.toContainText('Paused')
  await choose(page, name, 'Delete schedule')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete schedule' }).click()
  await expect(rowOf(page, name)).toHaveCount(0)
})

test('a query that writes is refused, and says what to do instead', async ({ page, me }) => {
  const name = 'dredging'
  const { login } = await personOf(me)
  const { tabId } = await callAs(login, editor.createTab, { tabName: name, sql: 'delete from silt' })
  await page.goto(
    `${me.url}/local-1/${me.accountId}/editor?${new URLSearchParams({ activeTab: tabId, tabName: name })}`,
  )
  await expect(sqlEditor(page)).toBeVisible()
  await page.getByRole('toolbar', { name: 'Query' }).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Schedule' }).click()
  const form = page.getByRole('dialog', { name: `Schedule ${name}` })
  await form.getByRole('button', { name: 'Save schedule' }).click()
  await expect(form.getByText(/A scheduled query only reads, and DELETE does not\./)).toBeVisible()
  await form.getByRole('link', { name: 'All schedules' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Schedules' })).toBeVisible()
})
