import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask } from './ask.ts'
import { expectAccessibleBothWays } from './axe.ts'
import { signIn } from './console-page.ts'
import { expect, test } from './console-test.ts'
import { preparedDataDirectory } from './data-directory.ts'
import { type Product, startProduct } from './product.ts'
import { takePictures } from './schemes.ts'

test.use({ viewport: { width: 1280, height: 800 } })

const CATALOG = 'catalog-default_catalog-type-Internal'
const PICTURES = process.env['PIPE_PICTURES']

async function landing() {
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-landing-'))
  await mkdir(join(folder, 'orders'))
  const at = (name: string) => join(folder, 'orders', name)
  return {
    folder,
    at,
    /** Complete, and as if nobody had written to it for a while. */
    async put(name: string, content: string): Promise<void> {
      await writeFile(join(folder, name), content)
      const before = new Date(Date.now() - 60_000)
      await utimes(join(folder, name), before, before)
      await rename(join(folder, name), at(name))
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

const rowsOf = (product: Product) => ask(product, 'select count(*), count(distinct id) from main.orders_in')

test('somebody makes a pipe, follows its files, skips a bad one, suspends and drops it', async ({ page }) => {
  test.slow()
  const folder = await landing()
  const data = await preparedDataDirectory()
  const env = { BOATHOUSE_CATALOG_FOLDERS: `landing=${folder.folder}` }
  const product = await startProduct({ dataDir: data.path, env })
  try {
    await ask(product, 'create table main.orders_in (id bigint, name varchar)')
    await folder.put('a.csv', '1,one\n2,two\n')
    await signIn(page, product)
    await page.goto(`${product.url}/local-1/${product.accountId}/catalog/${CATALOG}/database-main/load`)
    await expect(page.getByText('No pipes load into this database yet.')).toBeVisible()
    await page.getByRole('button', { name: 'Create pipe' }).click()
    const form = page.getByRole('dialog', { name: 'Create pipe' })
    await form.getByRole('button', { name: 'Create pipe' }).click()
    await expect(form.getByText('Enter a name')).toBeVisible()
    await form.getByLabel('Name', { exact: true }).fill('orders_pipe')
    await form.getByLabel('Files', { exact: true }).fill('orders/*.csv')
    await form.getByRole('combobox', { name: 'Table' }).click()
    await form.getByRole('combobox', { name: 'Table' }).fill('orders_in')
    await page.getByRole('option', { name: 'orders_in' }).click()
    await form.getByLabel('Look for files every, in seconds').fill('1')
    await takePictures(page, PICTURES, 'pipe-form')
    await expectAccessibleBothWays(page, 'the form of a pipe')
    await form.getByRole('button', { name: 'Create pipe' }).click()
    const pipes = page.getByRole('table', { name: 'Pipes' })
    await expect(pipes).toContainText('1 loaded, 0 waiting, 0 failed')
    await takePictures(page, PICTURES, 'pipe-list')
    await pipes.getByRole('link', { name: 'orders_pipe' }).click()
    await expect(page.getByRole('heading', { name: 'orders_pipe' })).toBeVisible()
    const files = page.getByRole('table', { name: 'Files' })
    await expect(files.getByRole('row').filter({ hasText: 'a.csv' })).toContainText('Loaded')

    // While the page is open, a bad file comes.
    await folder.put('bad.csv', '3,three,too many\n')
    const bad = files.getByRole('row').filter({ hasText: 'bad.csv' })
    await expect(bad).toContainText('Failed')
    await expect(page.getByRole('group', { name: 'Failed' })).toContainText('1')
    await takePictures(page, PICTURES, 'pipe-page')
    await expectAccessibleBothWays(page, 'the page of a pipe')
    await page.setViewportSize({ width: 390, height: 800 })
    await takePictures(page, PICTURES, 'pipe-page-narrow')
    await page.setViewportSize({ width: 1280, height: 800 })
    await bad.getByRole('button', { name: 'Actions for file bad.csv' }).click()
    await page.getByRole('menuitem', { name: 'Skip file' }).click()
    await expect(bad).toContainText('Skipped')
    await page.getByRole('combobox', { name: 'State of files' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await expect(page.getByText('No files in this state.')).toBeVisible()

    // Suspended, it loads nothing.
    await page.getByRole('button', { name: 'Suspend' }).click()
    await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible()
    for (let at = 10; at < 20; at++) await folder.put(`${at}.csv`, `${at},file\n`)
    expect(await rowsOf(product)).toEqual([['2', '2']])
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => rowsOf(product), { timeout: 120_000 }).toEqual([['12', '12']])
    await expect(page.getByRole('group', { name: 'Loaded' })).toContainText('12 rows')
    await page.getByRole('button', { name: 'Actions for pipe orders_pipe' }).click()
    await page.getByRole('menuitem', { name: 'Drop pipe' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Drop pipe' }).click()
    await expect(page.getByText('No pipes load into this database yet.')).toBeVisible()
  } finally {
    await product.stop()
    await data.remove()
    await folder.remove()
  }
})

/** What is left of each state, to say what is missing when it does not come. */
const states = (product: Product) =>
  ask(product, 'select load_state, count(*), max(error_msg) from information_schema.pipe_files group by 1')

test('kill -9 of the server in the middle of many files loads each of them once', async () => {
  test.slow()
  const folder = await landing()
  const data = await preparedDataDirectory()
  const env = { BOATHOUSE_CATALOG_FOLDERS: `landing=${folder.folder}` }
  const start = () => startProduct({ dataDir: data.path, env })
  let product = await start()
  try {
    await ask(product, 'create table main.orders_in (id bigint, name varchar)')
    for (let at = 0; at < 30; at++) await folder.put(`${at}.csv`, `${at},file\n`)
    await ask(
      product,
      `create pipe main.p properties ("poll_interval" = "1") as insert into main.orders_in
       select * from files("path" = "folder://landing/orders/*.csv", "format" = "csv")`,
    )
    const someRows = async () => Number((await rowsOf(product))[0]?.[0])
    for (const atLeast of [1, 10]) {
      await expect.poll(someRows, { timeout: 120_000 }).toBeGreaterThanOrEqual(atLeast)
      await product.kill9()
      product = await start()
    }
    await expect.poll(() => states(product), { timeout: 240_000 }).toEqual([['LOADED', '30', null]])
    expect(await rowsOf(product)).toEqual([['30', '30']])
    await rename(folder.at('10.csv'), folder.at('renamed.csv'))
    await folder.put('last.csv', '99,last\n')
    await expect.poll(async () => (await rowsOf(product))[0], { timeout: 120_000 }).toEqual(['31', '31'])
  } finally {
    await product.stop()
    await data.remove()
    await folder.remove()
  }
})
