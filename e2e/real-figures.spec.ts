import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { callAs } from '@boathouse/client'
import { query, schema, usage, warehouse } from '@boathouse/contract'
import type { Locator, Page } from '@playwright/test'
import { activity } from '../console/src/i18n/en/activity.ts'
import { formatBytes, formatDuration } from '../console/src/lib/format.ts'
import { ask, logIn } from './ask.ts'
import { openNewQuery, results, runSql } from './console-page.ts'
import { expect, signedInTest as test } from './console-test.ts'
import type { Product } from './product.ts'
import { ENDLESS } from './slow-sql.ts'

const rows = (page: Page, table: string): Locator =>
  page.getByRole('table', { name: table }).locator('tbody').getByRole('row')

/** Figures of pages beside what this test measures of the same thing itself. */

const SLOW = 'select count(*) as real_figures from range(200000000) t(i) where (i * 7) % 1000000007 = 7'
/** Random, so that it cannot be compressed: 16 MB. */
const STORED = 'create table real_figures as select random() as a, random() as b from range(1000000)'
const STORED_BYTES = 16_000_000

async function bytesOnDisk({ dataDir, accountId }: Product): Promise<number> {
  const folder = join(dataDir, 'accounts', accountId)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.duckdb'))
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  )
  return sizes.reduce((total, size) => total + size, 0)
}

// Alone: what other journeys have left running would be in the load, and what they ran before this in lists.
test.use({ aloneAs: 'figures' })

test('duration, cost, load and size on the pages are measured of what ran [REAL-11]', async ({
  page,
  product,
}) => {
  const login = await logIn(product)
  const began = performance.now()
  await ask(product, SLOW)
  const outside = performance.now() - began
  const entryOf = async (text: string) => (await callAs(login, query.history, { text })).entries[0]
  await expect.poll(async () => (await entryOf('real_figures'))?.cost?.isFinal).toBe(true)
  const entry = await entryOf('real_figures')
  const { durationMs, cost } = entry ?? {}
  // The rest is signing in and sending.
  expect(durationMs).toBeLessThanOrEqual(outside)
  expect(durationMs).toBeGreaterThan(100)
  // Alone in its warehouse, its share of the time is all of it.
  expect(cost?.seconds).toBeGreaterThan(0)
  expect(cost?.seconds).toBeLessThanOrEqual((durationMs ?? 0) / 1000 + 0.01)

  const place = `${product.url}/local-1/${product.accountId}`
  await page.goto(`${place}/activity?text=real_figures`)
  const history = page.getByRole('table', { name: activity.history })
  await expect(history.getByRole('row')).toHaveCount(2)
  await expect(history).toContainText(formatDuration(durationMs ?? 0))
  await history.getByRole('link').first().click()
  await expect(page.getByText(formatDuration(durationMs ?? 0)).first()).toBeVisible()
  const month = new Date(entry?.acceptedAt ?? '').toISOString().slice(0, 7)
  const billed = await callAs(login, usage.byStatement, { month, pageSize: 100 })
  expect(billed.statements.find(({ queryId }) => queryId === entry?.queryId)?.cost).toEqual(cost)

  const busy = async () => (await callAs(login, warehouse.list, {})).warehouses[0]?.cpu?.percent ?? 0
  const endless = ask(product, ENDLESS).catch((error: unknown) => error)
  const running = async () => (await callAs(login, query.running, {})).entries
  // It may be busy with the one before, and this one not be there yet.
  await expect.poll(async () => (await running()).length).toBe(1)
  // Of a machine that has other things to do, it gets only a share.
  await expect.poll(busy).toBeGreaterThan(1)
  for (const { queryId } of await running()) await callAs(login, query.kill, { queryId })
  await endless
  await expect.poll(busy).toBeLessThanOrEqual(1)

  await ask(product, 'checkpoint').catch(() => undefined)
  const before = await bytesOnDisk(product)
  await ask(product, STORED)
  const sizeOf = async () => {
    const where = { catalog: 'default_catalog', databaseName: 'main', tableNames: ['real_figures'] }
    return (await callAs(login, schema.tableSizes, where)).list[0]?.bytes ?? 0
  }
  await expect.poll(sizeOf).toBeGreaterThan(STORED_BYTES * 0.8)
  const bytes = await sizeOf()
  expect(bytes).toBeLessThan(STORED_BYTES * 1.3)
  await expect.poll(async () => (await bytesOnDisk(product)) - before).toBeGreaterThan(STORED_BYTES * 0.8)
  await page.goto(`${place}/catalog/catalog-default_catalog-type-internal/database-main/table-real_figures`)
  await expect(page.getByText(formatBytes(bytes)).first()).toBeVisible()
  await ask(product, 'drop table real_figures')
})

test('duration, rows and cost of a statement are the same in the editor, the list, the detail and the usage', async ({
  page,
  product,
}) => {
  await openNewQuery(page, product)
  await runSql(page, 'select o_orderkey as same_everywhere from sample.orders')
  const facts = results(page).getByRole('paragraph')
  await expect(results(page).getByText(/^[\d.]+ USD$/)).toBeVisible()
  const inEditor = await facts.first().textContent()
  await page.reload()
  await expect(results(page).getByText(/^Result of /)).toBeVisible()
  await expect(results(page).getByText(/^[\d.]+ USD$/)).toBeVisible()
  for (const part of [/^\d[\d.]* m?s$/, /^[\d.]+ USD$/])
    expect(inEditor, 'after a reload').toContain(await results(page).getByText(part).textContent())
  const place = `${product.url}/local-1/${product.accountId}`
  await page.goto(`${place}/activity?text=same_everywhere`)
  await expect(rows(page, 'History')).toHaveCount(1)
  const cells = await rows(page, 'History').first().getByRole('cell').allTextContents()
  const [duration = '', count = '', cost = ''] = cells.slice(-3)
  expect(inEditor).toContain(duration)
  expect(inEditor).toContain(cost)
  expect(count).toBe('1k')
  await expect(rows(page, 'History').getByTitle('1000', { exact: true })).toBeVisible()
  await rows(page, 'History').first().getByRole('link').click()
  const side = page.getByRole('complementary', { name: 'Details' })
  await expect(side).toContainText(`${cost} USD`)
  await expect(side).toContainText('1,000')
  await expect(page.getByText(`${duration} total`)).toBeVisible()
  await page.goto(`${place}/admin/usage-and-billing?tab=usage`)
  // The most costly come first, and without other journeys it is among them.
  const used = rows(page, 'Statements').filter({ hasText: 'same_everywhere' })
  await expect(used).toContainText(cost)
})
