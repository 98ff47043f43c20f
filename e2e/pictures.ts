import { mkdir, writeFile } from 'node:fs/promises'
import { callAs } from '@boathouse/client'
import { firewall } from '@boathouse/contract'
import type { Page } from '@playwright/test'
import { ask, logIn } from './ask.ts'
import { grid, menuLink, newQuery, openEditor, results, runSql, signIn } from './console-page.ts'
import { expect, test } from './console-test.ts'
import { tellFigure } from './figures.ts'
import type { Product } from './product.ts'
import { inRepository } from './repository.ts'

const FOLDER = inRepository('docs/pictures')
const QUALITY = 0.82
/** A picture that is larger says no more. */
const MOST_BYTES = 90_000

/** Real things, as somebody would have made them by the second day. */
const MADE = [
  `create database sales`,
  `create table sales.orders as select o_orderkey as order_id, o_orderdate as ordered_on, o_orderpriority as priority,
     o_totalprice as total from sample.orders`,
  `create view sales.by_month as select date_trunc('month', ordered_on) as month, count(*) as orders, sum(total) as total
     from sales.orders group by all`,
  `create role analysts`,
  `grant select on all tables in database sample to role analysts`,
  `grant select on sales.orders to role analysts`,
  `grant select on view sales.by_month to role analysts`,
]

const REVENUE = `-- Revenue by nation, the largest first
select n.n_name as nation,
  count(*) as orders,
  sum(o.o_totalprice) as revenue,
  round(avg(o.o_totalprice), 2) as average,
  max(o.o_orderdate) as last_order
from sample.orders o
join sample.customer c on c.c_custkey = o.o_custkey
join sample.nation n on n.n_nationkey = c.c_nationkey
group by all
order by revenue desc`

const pageOf = (page: Page, { url, accountId }: Product, path: string) =>
  page.goto(`${url}/local-1/${accountId}/${path}`)

/** In the browser itself, which writes WebP; playwright takes PNG, of several times the size. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const url = await page.evaluate(
    async ({ source, quality }) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = new OffscreenCanvas(image.width, image.height)
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality })
      const bytes = new Uint8Array(await blob.arrayBuffer())
      return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''))
    },
    { source: `data:image/png;base64,${png.toString('base64')}`, quality: QUALITY },
  )
  return Buffer.from(url, 'base64')
}

const SCENES: Readonly<Record<string, (page: Page, product: Product) => Promise<void>>> = {
  async editor(page) {
    await openEditor(page)
    await newQuery(page)
    await runSql(page, REVENUE)
    await page.getByRole('treeitem', { name: 'sample', exact: true }).click()
    await expect(page.getByRole('treeitem', { name: 'lineitem', exact: true })).toBeVisible()
    await grid(page).getByRole('gridcell').nth(2).click()
    await expect(results(page).getByText('USD')).toBeVisible()
  },
  async chart(page) {
    await openEditor(page)
    await newQuery(page)
    await runSql(page, 'select month, orders, total from sales.by_month order by month')
    await results(page).getByRole('radio', { name: 'Chart' }).press('Space')
    await expect(page.getByRole('slider', { name: /^Chart points/ })).toBeVisible()
  },
  async load(page, product) {
    await pageOf(page, product, 'home')
    await page.getByRole('main').getByRole('button', { name: 'Load data' }).click()
    await page.locator('input[type=file]').setInputFiles({
      name: 'voyages.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'id,port,left,tons\n1,Oslo,2024-05-01,12.5\n2,Cork,2024-05-03,8.0\n3,Genoa,2024-05-04,21.75\n',
      ),
    })
    await expect(page.getByRole('table', { name: 'First rows' })).toContainText('Genoa')
    await page.getByLabel('Table name').fill('voyages')
  },
  async warehouse(page, product) {
    await pageOf(page, product, 'admin/warehouse')
    await page.getByRole('link', { name: 'default_warehouse' }).click()
    await expect(page.getByRole('heading', { name: 'default_warehouse' })).toBeVisible()
  },
  async role(page, product) {
    await pageOf(page, product, 'admin/access/role/analysts')
    await expect(page.getByRole('heading', { name: 'analysts' })).toBeVisible()
  },
  async catalog(page) {
    await menuLink(page, 'Catalogs').click()
    for (const name of ['default_catalog', 'sales', 'orders'])
      await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByText('order_id', { exact: true }).first()).toBeVisible()
  },
  async activity(page, product) {
    await pageOf(page, product, 'activity')
    await expect(page.getByRole('table').last().getByRole('row').nth(3)).toBeVisible()
  },
  async usage(page, product) {
    await pageOf(page, product, 'admin/usage-and-billing')
    await expect(page.getByRole('heading', { name: 'Usage & billing' })).toBeVisible()
  },
  async firewall(page, product) {
    await pageOf(page, product, 'admin/security?tab=firewall')
    await expect(page.getByText('Offices').first()).toBeVisible()
  },
  async audit(page, product) {
    await pageOf(page, product, 'admin/security?tab=audit')
    await expect(page.getByRole('table').getByRole('row').nth(3)).toBeVisible()
  },
}

test.beforeAll(async ({ product }) => {
  await mkdir(FOLDER, { recursive: true })
  for (const sql of MADE) await ask(product, sql)
  const login = await logIn(product)
  const rule = { name: 'Offices', addresses: '192.0.2.0/24, 198.51.100.17', enabled: false }
  await callAs(login, firewall.createRule, rule)
})

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(() => {
    test.use({ colorScheme, reducedMotion: 'reduce' })
    for (const [name, scene] of Object.entries(SCENES))
      test(`${name} in ${colorScheme}`, async ({ page, product }) => {
        await signIn(page, product)
        await scene(page, product)
        await page.evaluate(async () => void (await document.fonts.ready))
        const picture = await asWebp(page, await page.screenshot({ animations: 'disabled', caret: 'hide' }))
        await writeFile(`${FOLDER}/${name}-${colorScheme}.webp`, picture)
        tellFigure(`${name}-${colorScheme}.webp ${(picture.length / 1000).toFixed(1)} KB`)
        expect(picture.length).toBeLessThan(MOST_BYTES)
      })
  })
