import { once } from 'node:events'
import { type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ask } from './ask.ts'
import { expectAccessibleBothWays } from './axe.ts'
import { comeIn } from './console-page.ts'
import { expect, test } from './console-test.ts'
import { startProduct } from './product.ts'
import { takePictures } from './schemes.ts'

const LINES = ['ship;paid', ...Array.from({ length: 200 }, (_, at) => `${at};1.${100 + at},50`)]

/** A server of files. One answers in the moment when the test says so. */
async function startFiles() {
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    if (request.url === '/page.csv') response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
    else if (request.url === '/slow.csv') {
      // More than what tells a file from a page.
      response.writeHead(200, { 'content-type': 'text/csv' }).write('1;1,5\n'.repeat(1_000))
      waiting.push(response)
    } else response.end(`${LINES.join('\n')}\n`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    waiting,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('a file is loaded from its address, what is no file is refused, and decimal commas are found', async ({
  page,
}) => {
  const files = await startFiles()
  const product = await startProduct({ env: { BOATHOUSE_FILE_ENDPOINTS: files.origin } })
  try {
    await comeIn(page, product)
    const catalog = 'catalog-default_catalog-type-Internal'
    await page.goto(`${product.url}/local-1/${product.accountId}/catalog/${catalog}/database-main`)
    await page.getByRole('button', { name: 'Load data' }).click()
    const address = page.getByLabel('Address of the file')
    const fetchFile = async (from: string) => {
      await address.fill(from)
      await page.keyboard.press('Enter')
    }

    await page.getByRole('button', { name: 'Load from address' }).click()
    await expect(address).toBeFocused()
    await fetchFile('https://169.254.169.254/latest/meta-data')
    await expect(page.getByText('it is in a private network')).toBeVisible()
    await expect(address).toHaveValue('https://169.254.169.254/latest/meta-data')
    await takePictures(page, process.env['LOAD_PICTURES'], 'address-refused')
    await expectAccessibleBothWays(page, 'the address of a file')
    await fetchFile(`${files.origin}/page.csv`)
    await expect(page.getByText('leads to a web page')).toBeVisible()

    await fetchFile(`${files.origin}/slow.csv`)
    await expect.poll(() => files.waiting.length).toBe(1)
    await expect(page.getByText('Fetching slow.csv')).toBeVisible()
    await takePictures(page, process.env['LOAD_PICTURES'], 'address-fetching')
    const left = once(files.waiting[0] as ServerResponse, 'close')
    await page.getByRole('button', { name: 'Cancel' }).first().click()
    await left

    await expect(address).toHaveValue(`${files.origin}/slow.csv`)
    await fetchFile(`${files.origin}/ships.csv?sig=1`)
    await expect(page.getByRole('table', { name: 'First rows' })).toContainText('1.100,50')
    await expect(address).toBeHidden()
    await page.getByRole('button', { name: 'Read numbers with a decimal comma' }).scrollIntoViewIfNeeded()
    await takePictures(page, process.env['LOAD_PICTURES'], 'address-commas')
    let read: (() => void) | undefined
    const isRead = new Promise<void>((resolve) => (read = resolve))
    await page.route(/\/task\/inspect-upload$/, async (route) => {
      await isRead
      await route.continue()
    })
    await page.getByRole('button', { name: 'Read numbers with a decimal comma' }).click()
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    const early = page.getByText('The file is being read with your settings.')
    await expect(early).toBeVisible()
    read?.()
    await expect(early).toBeHidden()
    const type = page.getByRole('table', { name: 'Columns' }).getByRole('combobox', { name: 'Type of paid' })
    await expect(type).toHaveValue('DOUBLE')
    await expect(page.getByText('Detected', { exact: true })).toBeVisible()
    await page.getByLabel('Table name').fill('ships')
    await page.getByRole('button', { name: 'Load', exact: true }).click()
    await expect(page.getByRole('region', { name: 'Result' })).toContainText('200 rows were loaded')
    expect(await ask(product, 'select sum(paid) from main.ships')).toEqual([['240000.0']])
  } finally {
    await product.stop()
    files.close()
  }
})
