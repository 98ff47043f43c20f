import { once } from 'node:events'
import { createConnection } from 'node:net'
import type { Page } from '@playwright/test'
import { expectAccessibleBothWays } from './axe.ts'
import { openNewQuery, sqlText, writeSql } from './console-page.ts'
import { signedInTest as test, expect } from './console-test.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('recent work: a query that was just written is there, and leads back to its text', async ({
  page,
  product,
}) => {
  await openNewQuery(page, product)
  const name = (await page.getByRole('tab', { selected: true }).first().textContent()) ?? ''
  await writeSql(page, 'select 48151623')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.goto(`${product.url}/local-1/${product.accountId}/home`)
  const recent = page.getByRole('region', { name: 'Recent queries' })
  await expect(recent.getByRole('link').first()).toBeVisible()
  await expectAccessibleBothWays(page, 'home with recent work')
  await recent.getByRole('link', { name, exact: true }).click()
  await expect.poll(() => sqlText(page)).toBe('select 48151623')
})

const endpoint = (page: Page) => page.getByRole('region', { name: 'Query endpoint' })

async function copied(page: Page): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''))
  await endpoint(page).getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe('')
  return page.evaluate(() => navigator.clipboard.readText())
}

/** The number with which a server of the MySQL protocol begins its first packet, behind the four bytes of the header. */
async function protocolAt(host: string, port: number): Promise<number | undefined> {
  const socket = createConnection({ host, port })
  const [greeting] = (await once(socket, 'data')) as [Buffer]
  socket.destroy()
  return greeting[4]
}

test('the line of a client leads to the endpoint that listens, and the chosen client is remembered [HOME-06, HOME-07]', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/local-1/${product.accountId}/home`)
  await expect(endpoint(page).getByRole('combobox', { name: 'Client' })).toHaveValue('mysql, command line')
  const [, host = '', port = '', user] = /^mysql -h (\S+) -P (\d+) -u (\S+) -p/.exec(await copied(page)) ?? []
  expect(user).toBe(`${product.accountId}.${product.user}`)
  expect(await protocolAt(host, Number(port))).toBe(10)

  await endpoint(page).getByRole('combobox', { name: 'Client' }).click()
  await page.getByRole('option', { name: 'Node.js (mysql2)' }).click()
  await expect(endpoint(page).getByRole('region', { name: 'Node.js (mysql2)' })).toContainText(
    `port: ${port}`,
  )
  await page.reload()
  await expect(endpoint(page).getByRole('region', { name: 'Node.js (mysql2)' })).toContainText(
    `port: ${port}`,
  )
  expect(await copied(page)).toContain('mysql.createConnection')
  await endpoint(page).getByRole('link', { name: 'More about MySQL clients' }).click()
  await expect(page.getByRole('heading', { name: 'MySQL clients', level: 1 })).toBeVisible()
})
